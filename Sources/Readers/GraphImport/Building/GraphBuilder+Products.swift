import ModelIR
import Operators

// Matrix products, gathers and reductions.

extension GraphBuilder {
  /// Multiplies by a constant matrix, which is a fully-connected layer, or multiplies the matrices of two values.
  ///
  /// - Parameters:
  ///   - transposesFirst: true if the matrices of the first operand are transposed.
  ///   - transposesSecond: true if those of the second operand are.
  ///   - isBatched: true if operands may have axes before those of the matrix.
  mutating func multiply(
    _ operands: [GraphResult], transposesFirst: Bool = false, transposesSecond: Bool = false,
    isBatched: Bool
  ) throws(NetconvError) -> GraphValue {
    if isBatched, operands.count == 2 {
      if case .value = operands[1] {
        return try product(operands, transposesFirst, transposesSecond)
      }
      if case .constant(let stack) = operands[1],
        stack.shape.dropLast(2).contains(where: { $0 != 1 })
      {
        return try product(operands, transposesFirst, transposesSecond)
      }
    }
    let value = try value(operands, 0)
    guard operands.count > 1 else { throw .missingOperand(1, operation) }
    guard case .constant(var matrix) = operands[1] else { throw .expectedConstant(1, operation) }
    guard !transposesFirst else { throw .transposedOperand }
    // A stack of one matrix.
    if isBatched, matrix.shape.count > 2, matrix.shape.dropLast(2).allSatisfy({ $0 == 1 }),
      matrix.shape.count <= value.rank
    {
      matrix = try matrix.reshaped(Array(matrix.shape.suffix(2)))
    }
    guard matrix.shape.count == 2 else { throw .wrongRankOfConstant(matrix.shape, expected: 2) }
    guard value.shape.rank > 0, isBatched || value.rank == 2 else {
      throw .wrongRankOfValue(value.shape, expected: 2)
    }
    // The last axis is contracted.
    _ = try value.sampleAxis(-1)
    if transposesSecond { matrix = matrix.transposed([1, 0]) }
    return try draft(
      Dense(units: matrix.shape[1]), [value],
      [.kernel: GraphDraft.Parameter(constant: matrix, layout: .io)], batch: value.batch)
  }

  /// Drafts the product of the matrices of two values, or of a table and those of a value.
  private mutating func product(
    _ operands: [GraphResult], _ transposesFirst: Bool, _ transposesSecond: Bool
  ) throws(NetconvError) -> GraphValue {
    let operands = try alike(operands)
    guard
      case .value(let model)? = operands.first(where: {
        if case .constant = $0 { false } else { true }
      })
    else { throw .expectedValue(0, operation) }
    let values = try operands.indices.map { index throws(NetconvError) in
      guard case .constant(let table) = operands[index] else { return try value(operands, index) }
      guard model.shape.rank > 1, let sizes = table.tableSizes(beside: model) else {
        throw .wrongRankOfConstant(table.shape, expected: model.shape.rank)
      }
      return try self.table(table, of: sizes).with(model.batch)
    }
    let (first, second) = (values[0], values[1])
    guard first.batch == second.batch, second.rank == first.rank, first.shape.rank > 1 else {
      throw .ranksDiffer(first.shape, second.shape)
    }
    for axis in [-2, -1] { _ = try first.sampleAxis(axis) }
    return try draft(
      MatMul(transposesFirst: transposesFirst, transposesSecond: transposesSecond),
      [first, second], batch: second.batch)
  }

  /// Multiplies the values along an axis by a constant matrix; axis indices include the batch.
  ///
  /// - Parameter matrix: a row for each index of the result.
  mutating func mix(
    _ x: GraphResult, along axis: Int, by matrix: GraphConstant
  ) throws(NetconvError) -> GraphResult {
    let rank = try value([x], 0).rank
    guard rank <= 24 else { throw .batchAxis }
    var letters = Array("abcdefghijklmnopqrstuvwx".prefix(rank))
    let first = String(letters)
    let summed = letters[axis]
    letters[axis] = "y"
    return try einsum("\(first),y\(summed)->\(String(letters))", [x, .constant(matrix)])
  }

  /// Gathers the values at given indices along an axis: of a constant, of a value, or rows of a table, which is an embedding.
  mutating func gather(
    _ operands: [GraphResult], along axis: Int
  ) throws(NetconvError) -> GraphResult {
    if let constants = operands.constants, constants.count > 1 {
      return .constant(try constants[0].gathered(constants[1], along: axis, at: node))
    }
    if case .value(let value)? = operands.first, operands.count > 1,
      case .constant(let indices) = operands[1]
    {
      return try take(at: indices, of: value, along: axis)
    }
    var indices = try value(operands, 1)
    if case .value(let value)? = operands.first {
      return try gather(value, at: indices, along: axis, perSample: false)
    }
    guard case .constant(let table)? = operands.first else { throw .expectedConstant(0, operation) }
    // An embedding truncates fractions itself.
    if let cast = drafts[indices.draft].expression, cast.function == .truncate,
      case .value(let draft)? = cast.operands.first
    {
      indices = GraphValue(draft: draft, shape: indices.shape, batch: indices.batch)
    }
    guard table.shape.count == 2, axis == 0 else {
      throw .wrongRankOfConstant(table.shape, expected: 2)
    }
    return .value(
      try draft(
        Embedding(count: table.shape[0], outputChannels: table.shape[1]), [indices],
        [.kernel: GraphDraft.Parameter(constant: table, layout: .io)], batch: indices.batch))
  }

  // MARK: - Reductions

  /// Reduces the values along some axes to one; axis indices include the batch.
  mutating func reduce(
    _ function: Reduce.Function, _ x: GraphResult, axes: [Int], keepDimensions: Bool
  ) throws(NetconvError) -> GraphResult {
    if case .constant(let constant) = x {
      let axes = try resolvedAxes(axes, rank: constant.shape.count)
      return .constant(
        try constant.reduced(function, axes: axes, keepDimensions: keepDimensions, at: node))
    }
    let input = try value([x], 0)
    var named = Set(try resolvedAxes(axes, rank: input.rank))
    var batch = input.batch
    // The sum over a batch of one sample is the sample.
    if let place = batch, place.merged == 0, batchSize == 1, named.remove(place.axis) != nil,
      !keepDimensions
    {
      batch = nil
    }
    let own = try named.map { axis throws(NetconvError) in try input.sampleAxis(axis) }.sorted()
    if !keepDimensions { batch?.axis -= own.count { $0 < input.batch?.axis ?? 0 } }
    // Only a result that keeps its axes can be broadcast to its operand, as in a normalisation.
    let expression =
      keepDimensions ? GraphExpression(function, of: input.draft, axes: own) : nil
    if let pooling = pooling(function, rank: input.shape.rank, own, keepDimensions) {
      return .value(
        try draft(
          pooling.operation, [input], axes: pooling.axes, batch: batch, expression: expression))
    }
    if own.isEmpty { return .value(input.with(batch)) }
    return .value(
      try draft(
        Reduce(function, axes: AxisList(own), keepDimensions: keepDimensions), [input],
        batch: batch, expression: expression))
  }

  /// The pooling operator that computes a reduction; `nil` if there is none.
  private func pooling(
    _ function: Reduce.Function, rank: Int, _ axes: [Int], _ keeps: Bool
  ) -> (operation: any Operator, axes: GraphDraft.Axes)? {
    guard function == .mean || function == .maximum else { return nil }
    let isMean = function == .mean
    switch (rank, axes) {
    case (3, [0, 1]), (3, [1, 2]):
      return (
        isMean
          ? GlobalAveragePooling2D(keepDimensions: keeps)
          : GlobalMaxPooling2D(keepDimensions: keeps),
        axes == [0, 1] ? .counted(moved: nil) : .channelsFirst
      )
    case (2, [0]):
      return (
        isMean
          ? GlobalAveragePooling1D(keepDimensions: keeps)
          : GlobalMaxPooling1D(keepDimensions: keeps), .counted(moved: nil)
      )
    default: return nil
    }
  }
}

extension NetconvError {
  fileprivate static var transposedOperand: NetconvError {
    NetconvError(.badData, "the first operand is transposed, which is not read")
  }
}
