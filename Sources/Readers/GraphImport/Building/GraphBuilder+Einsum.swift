import ModelIR
import Operators

extension GraphBuilder {
  /// Drafts a sum of products (Einstein summation).
  ///
  /// With a constant operand it is a fully-connected layer, else a matrix product. Axes are permuted and merged around it.
  mutating func einsum(
    _ text: String, _ operands: [GraphResult]
  ) throws(NetconvError) -> GraphResult {
    guard operands.count == 2 else { throw .expectedTwoOperands(operands.count) }
    let ranks = try operands.map { operand throws(NetconvError) in
      if case .constant(let constant) = operand { return constant.shape.count }
      return try sample(operand).rank
    }
    let equation = try Equation(text, ranks: ranks)
    switch (operands[0], operands[1]) {
    case (_, .constant(let matrix)):
      return .value(
        try dense(
          try sample(operands[0]), equation.first, matrix, equation.second, equation.result))
    case (.constant(let matrix), _):
      return .value(
        try dense(
          try sample(operands[1], 1), equation.second, matrix, equation.first, equation.result))
    default:
      return .value(
        try product(
          Labelled(try sample(operands[0]), equation.first),
          Labelled(try sample(operands[1], 1), equation.second), equation.result))
    }
  }
}

/// A parsed einsum equation: `abc,cd->abd`.
private struct Equation {
  let first: [Character]
  let second: [Character]
  let result: [Character]

  /// Parses an equation for operands of the given ranks.
  ///
  /// An ellipsis is replaced by letters for its axes.
  init(_ text: String, ranks: [Int]) throws(NetconvError) {
    let sides = text.filter { $0 != " " }.replacing("->", with: ",").split(
      separator: ",", omittingEmptySubsequences: false)
    guard sides.count == 3 else { throw .unreadEquation(text) }
    var letters: [[Character]] = []
    var most = 0
    for (index, side) in sides.enumerated() {
      let named = side.replacing("...", with: "")
      guard side.contains("...") else {
        letters.append(Array(side))
        continue
      }
      let extra = index == 2 ? most : ranks[index] - named.count
      guard (0...9).contains(extra), let place = side.firstRange(of: "...") else {
        throw .unreadEquation(text)
      }
      most = max(most, extra)
      letters.append(
        Array(side[..<place.lowerBound]) + "0123456789".suffix(extra)
          + Array(side[place.upperBound...]))
    }
    for (index, names) in letters.enumerated() {
      let rank = index == 2 ? names.count : ranks[index]
      guard Set(names).count == names.count, names.count == rank else {
        throw .unreadEquation(text)
      }
    }
    (first, second, result) = (letters[0], letters[1], letters[2])
    let known = Set(first).union(second)
    // Only axes that both operands have may be summed.
    guard Set(result).isSubset(of: known),
      known.subtracting(result).isSubset(of: Set(first).intersection(second))
    else { throw .unreadEquation(text) }
  }
}

/// A value whose axes are labelled by letters, the batch first.
private struct Labelled {
  var value: GraphValue
  var letters: [Character]

  init(_ value: GraphValue, _ letters: [Character]) {
    (self.value, self.letters) = (value, letters)
  }

  /// The letters of the axes of a sample.
  var own: [Character] { Array(letters.dropFirst()) }

  /// The size of a labelled axis; `nil` if it is open.
  func size(of letter: Character) -> Int? {
    own.firstIndex(of: letter).flatMap { value.shape.dimensions[$0] }
  }
}

extension GraphBuilder {
  /// Drafts a product with a constant: a fully-connected layer over the axes that both operands have.
  fileprivate mutating func dense(
    _ value: GraphValue, _ letters: [Character], _ constant: GraphConstant, _ others: [Character],
    _ result: [Character]
  ) throws(NetconvError) -> GraphValue {
    let x = Labelled(value, letters)
    guard let batch = letters.first, result.first == batch, !others.contains(batch) else {
      throw .batchAxis
    }
    let summed = x.own.filter { others.contains($0) }
    let kept = x.own.filter { !others.contains($0) }
    let new = others.filter { !summed.contains($0) }
    guard !summed.isEmpty, summed.allSatisfy({ !result.contains($0) }) else { throw .outerProduct }
    let input = try arranged(x, kept.map { [$0] } + [summed])
    let order = (summed + new).compactMap { others.firstIndex(of: $0) }
    var matrix = constant.transposed(order)
    let sizes = Array(matrix.shape.suffix(new.count))
    let columns = try ModelIR.product(sizes)
    if matrix.shape.count != 2 || summed.count != 1 {
      matrix = try matrix.reshaped([matrix.count / columns, columns])
    }
    let output = try draft(
      Dense(units: columns), [input],
      [.kernel: GraphDraft.Parameter(constant: matrix, layout: .io)])
    return try unfolded(output, [batch] + kept + new, kept.map(x.size) + sizes, as: result)
  }

  /// Drafts a matrix product over the axes that both values have and the result does not.
  fileprivate mutating func product(
    _ x: Labelled, _ y: Labelled, _ result: [Character]
  ) throws(NetconvError) -> GraphValue {
    guard let batch = x.letters.first, y.letters.first == batch, result.first == batch else {
      throw .batchAxis
    }
    let both = x.own.filter { y.own.contains($0) }
    let stack = result.filter { both.contains($0) }
    let summed = both.filter { !result.contains($0) }
    guard !summed.isEmpty else { throw .outerProduct }
    let rows = x.own.filter { !both.contains($0) }
    let columns = y.own.filter { !both.contains($0) }
    let stacked = stack.map { [$0] }
    // Matrices whose axes are already transposed need no permutation.
    let turnsFirst = x.own == stack + summed + rows && x.own != stack + rows + summed
    let turnsSecond = y.own == stack + columns + summed && y.own != stack + summed + columns
    let first = try arranged(x, stacked + (turnsFirst ? [summed, rows] : [rows, summed]))
    let second = try arranged(y, stacked + (turnsSecond ? [columns, summed] : [summed, columns]))
    let output = try draft(
      MatMul(transposesFirst: turnsFirst, transposesSecond: turnsSecond), [first, second])
    return try unfolded(
      output, [batch] + stack + rows + columns,
      stack.map { x.size(of: $0) ?? y.size(of: $0) } + rows.map(x.size) + columns.map(y.size),
      as: result)
  }

  /// Permutes the axes to the order of `groups` and merges each group into one axis; an empty group is an axis of size 1.
  private mutating func arranged(
    _ x: Labelled, _ groups: [[Character]]
  ) throws(NetconvError) -> GraphValue {
    let moved = try permuted(x, to: groups.flatMap(\.self))
    var sizes: [Int?] = []
    for group in groups {
      let own = group.map(x.size)
      guard own.count == 1 || !own.contains(nil) else { throw .openSize(x.value.shape) }
      sizes.append(own.count == 1 ? own[0] : try ModelIR.product(own.compactMap(\.self)))
    }
    return try reshape(moved, to: Shape(sizes))
  }

  /// Splits merged axes into those of `letters`, and permutes them to the order of the result.
  private mutating func unfolded(
    _ value: GraphValue, _ letters: [Character], _ sizes: [Int?], as result: [Character]
  ) throws(NetconvError) -> GraphValue {
    let apart = try reshape(value, to: Shape(sizes))
    return try permuted(Labelled(apart, letters), to: Array(result.dropFirst()))
  }

  private mutating func permuted(
    _ x: Labelled, to order: [Character]
  ) throws(NetconvError) -> GraphValue {
    let places = order.compactMap { x.own.firstIndex(of: $0) }
    guard places.count == x.own.count else { throw .wrongPermutation(places) }
    guard places != Array(places.indices) else { return x.value }
    return try draft(Permute(order: places), [x.value])
  }
}

extension NetconvError {
  fileprivate static func expectedTwoOperands(_ count: Int) -> NetconvError {
    NetconvError(.badData, "has \(count) operands, expected two")
  }

  fileprivate static func unreadEquation(_ equation: String) -> NetconvError {
    NetconvError(
      .badData,
      "the equation \(quoted(equation)) is not read; expected two operands, each axis named once, and sums over axes "
        + "that both have")
  }

  fileprivate static let outerProduct = NetconvError(
    .badData, "sums over no axis that both operands have; expected one at least")
}
