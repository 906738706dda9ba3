import ModelIR
import Operators

// The same values on other axes, parts of them, and values side by side.

extension GraphBuilder {
  /// A value or constant with axes of size 1 at `axes` of the result.
  mutating func expand(_ x: GraphResult, at axes: [Int]) throws(NetconvError) -> GraphResult {
    if case .constant(let constant) = x { return .constant(try constant.expanded(at: axes)) }
    let input = try sample(x)
    let resolved = try resolvedAxes(axes, rank: input.rank + axes.count).sorted()
    guard resolved.first ?? 1 > 0, Set(resolved).count == axes.count else { throw .batchAxis }
    var dimensions = input.shape.dimensions
    for axis in resolved { dimensions.insert(1, at: axis - 1) }
    if let dealing = drafts[input.draft].dealing {
      guard resolved == [1], let image = dealing.asImage else { throw .dealsOutMore }
      return .value(draft(image, shape: Shape(dimensions)))
    }
    return .value(try reshape(input, to: Shape(dimensions)))
  }

  /// A value or constant without axes of size 1: those that are named, or all.
  mutating func squeeze(_ x: GraphResult, _ axes: [Int]?) throws(NetconvError) -> GraphResult {
    if case .constant(let constant) = x { return .constant(try constant.squeezed(axes)) }
    let input = try sample(x)
    let own = input.shape.dimensions
    var removed: Set<Int> = []
    if let axes {
      removed = Set(try resolvedAxes(axes, rank: input.rank))
    } else {
      guard input.shape.known != nil else { throw .openSize(input.shape) }
      // Without names, a batch of one would go too.
      guard batchSize != 1 else { throw .squeezesBatch }
      removed = Set(own.indices.filter { own[$0] == 1 }.map { $0 + 1 })
    }
    guard !removed.contains(0) else { throw .batchAxis }
    guard removed.allSatisfy({ own[$0 - 1] == 1 }) else {
      throw .squeezesMore(own.map { $0 ?? -1 })
    }
    let shape = Shape(own.indices.filter { !removed.contains($0 + 1) }.map { own[$0] })
    if let dealing = drafts[input.draft].dealing {
      guard removed == [1], dealing.isLine else { throw .dealsOutMore }
      return .value(draft(dealing, shape: shape))
    }
    return .value(try reshape(input, to: shape))
  }

  /// A value or constant with its axes in another order.
  mutating func transpose(_ x: GraphResult, _ order: [Int]) throws(NetconvError) -> GraphResult {
    if case .constant(let constant) = x {
      return .constant(constant.transposed(try checked(order, rank: constant.shape.count)))
    }
    let input = try value([x], 0)
    let order = try checked(order, rank: input.rank)
    guard order.first == 0 else { throw .batchAxis }
    if order == Array(0..<input.rank) { return .value(input) }
    guard input.merged == 0 else { throw .mergedBatch }
    return .value(try draft(Permute(order: order.dropFirst().map { $0 - 1 }), [input]))
  }

  private func checked(_ order: [Int], rank: Int) throws(NetconvError) -> [Int] {
    let order = try resolvedAxes(order, rank: rank)
    guard Set(order).count == rank, order.count == rank else { throw .wrongPermutation(order) }
    return order
  }

  // MARK: - Reshaping

  /// A value or constant in another shape, whose first size counts the batch, perhaps times axes that are merged with it.
  mutating func reshape(
    _ x: GraphResult, to sizes: GraphConstant
  ) throws(NetconvError) -> GraphResult {
    if case .constant(let constant) = x {
      return .constant(try constant.resized(to: sizes.integers()))
    }
    let input = try value([x], 0)
    let numbers = try sizes.integerParts()
    let batches = sizes.batches ?? numbers.map { _ in 0 }
    guard let first = numbers.first else { throw .batchAxis }
    guard batches.dropFirst().allSatisfy({ $0 == 0 }) else { throw .countsBatches(node) }
    let rest = Array(numbers.dropFirst())
    guard rest.allSatisfy({ $0 >= -1 }), rest.count(where: { $0 == -1 }) <= 1 else {
      throw .wrongReshape(input.shape.dimensions.map { $0 ?? -1 }, numbers)
    }
    if let same = try keepingLast(input, first, batches[0], rest) { return .value(same) }
    guard let own = input.shape.known else { throw .openSize(input.shape) }
    let count = try product(own)
    let known = try product(rest.filter { $0 != -1 })
    guard known > 0, count % known == 0 else { throw .wrongReshape(own, numbers) }
    var merged = count / known
    var target = rest
    if batches[0] != 0 {
      // So many times the batch.
      guard first == 0, let times = Int(exactly: batches[0]), times > 0, merged % times == 0 else {
        throw .countsBatches(node)
      }
      if let open = target.firstIndex(of: -1) { target[open] = merged / times }
      merged = times
    } else if first == -1 {
      guard !rest.contains(-1) else { throw .wrongReshape(own, numbers) }
    } else {
      // A constant repeats the batch, or so many times it.
      guard let batch = batchSize, batch > 0, first > 0, first % batch == 0,
        merged % (first / batch) == 0
      else { throw .fixedBatch(first) }
      if let open = target.firstIndex(of: -1) { target[open] = merged / (first / batch) }
      merged = first / batch
    }
    guard merged > 0, try product(target) == count / merged, count % merged == 0 else {
      throw .wrongReshape(own, numbers)
    }
    return .value(try merging(merged, target, input, own))
  }

  /// The value itself, where the last axes stay and all before them are merged with the batch.
  private func keepingLast(
    _ input: GraphValue, _ first: Int, _ batches: Double, _ rest: [Int]
  ) throws(NetconvError) -> GraphValue? {
    guard batches == 0, first == -1, rest.count < input.shape.rank, !rest.isEmpty,
      Array(input.shape.dimensions.suffix(rest.count)) == rest.map(Optional.init),
      input.shape.known == nil
    else { return nil }
    return GraphValue(
      draft: input.draft, shape: input.shape, merged: input.shape.rank - rest.count)
  }

  /// A value of which `merged` places belong to the batch, and the others lie in `target`.
  private mutating func merging(
    _ merged: Int, _ target: [Int], _ input: GraphValue, _ own: [Int]
  ) throws(NetconvError) -> GraphValue {
    guard merged > 1 else { return try reshape(input, to: Shape(target)) }
    // The axes that are merged keep their sizes, where they are whole axes.
    var prefix: [Int] = []
    for size in own where prefix.reduce(1, *) < merged { prefix.append(size) }
    guard prefix.reduce(1, *) == merged else { throw .mergesParts(merged, own) }
    var value = try reshape(input, to: Shape(prefix + target))
    value.merged = prefix.count
    return value
  }

  /// Drafts a change of the axes of samples; none where they stay.
  mutating func reshape(_ value: GraphValue, to shape: Shape) throws(NetconvError) -> GraphValue {
    guard shape != value.shape else {
      return GraphValue(draft: value.draft, shape: shape)
    }
    if shape.rank == 1, value.shape.rank > 1 { return try draft(Flatten(), [value]) }
    // One open size can be left to the operator.
    guard shape.dimensions.count(where: { $0 == nil }) <= 1 else { throw .openSize(shape) }
    return try draft(Reshape(shape: shape.dimensions.map { $0 ?? -1 }), [value])
  }

  /// The sizes of a value or constant, of which the first counts the batch.
  func shape(of x: GraphResult, type: GraphElement) throws(NetconvError) -> GraphConstant {
    switch x {
    case .constant(let constant):
      return GraphConstant(
        constant.shape.map { Double($0) }, shape: [constant.shape.count], type: type, path: node)
    case .value(let value):
      guard let sizes = value.shape.known else { throw .openSize(value.shape) }
      let times = Double(sizes.prefix(value.merged).reduce(1, *))
      let own = sizes.dropFirst(value.merged).map { Double($0) }
      return GraphConstant(
        [0] + own, shape: [own.count + 1], type: type, batches: [times] + own.map { _ in 0 },
        path: node)
    default: throw .unknownOperation(operation)
    }
  }

  // MARK: - Parts

  /// A part of a value or constant.
  ///
  /// - Parameter ranges: makes the part of an array of some shape, with the batch; `nil` is an open size.
  mutating func slice(
    _ x: GraphResult, _ ranges: ([Int?]) throws(NetconvError) -> StridedSlice
  ) throws(NetconvError) -> GraphResult {
    if case .constant(let constant) = x {
      let slice = try ranges(constant.shape)
      return .constant(
        try constant.sliced(slice.parts, shape: slice.resultShape, at: node))
    }
    let input = try sample(x)
    let slice = try ranges([batchSize] + input.shape.dimensions)
    guard slice.axes.first == 0, slice.parts[0].start == 0, slice.parts[0].stride == 1,
      slice.parts[0].count == batchSize ?? -1
    else { throw .batchAxis }
    let parts = slice.parts.dropFirst()
    let isOpen = input.shape.dimensions.map { $0 == nil }
    let cropped: GraphValue
    if parts.contains(where: { $0.stride != 1 && $0.count != 1 }) {
      cropped = try draft(
        Slice(
          starts: parts.map(\.start), counts: zip(parts, isOpen).map { $1 ? nil : $0.count },
          steps: parts.map(\.stride)), [input])
    } else {
      cropped = try crop(
        input, to: zip(parts, isOpen).map { $1 ? nil : $0.start..<$0.start + $0.count })
    }
    let kept = slice.axes.dropFirst().map { axis in
      axis.map { cropped.shape.dimensions[$0 - 1] } ?? 1
    }
    return .value(try reshape(cropped, to: Shape(Array(kept))))
  }

  /// The parts of a value or constant along an axis.
  ///
  /// - Parameter sizes: the lengths of the parts of an axis of this length.
  mutating func split(
    _ x: GraphResult, along axis: Int, _ sizes: (Int) throws(NetconvError) -> [Int]
  ) throws(NetconvError) -> [GraphResult] {
    if case .constant(let constant) = x {
      let axis = try resolvedAxis(axis, rank: constant.shape.count)
      return try constant.split(along: axis, sizes: sizes(constant.shape[axis]), at: node).map {
        .constant($0)
      }
    }
    let input = try sample(x)
    let axis = try resolvedAxis(axis, rank: input.rank)
    guard axis > 0 else { throw .batchAxis }
    guard let length = input.shape.dimensions[axis - 1] else { throw .openSlice(axis) }
    var start = 0
    var parts: [GraphResult] = []
    for size in try sizes(length) {
      var ranges = [Range<Int>?](repeating: nil, count: input.shape.rank)
      ranges[axis - 1] = start..<start + size
      start += size
      parts.append(.value(try crop(input, to: ranges)))
    }
    return parts
  }

  /// The part of a value in `ranges`, of which there is one for each axis of a sample; `nil` takes all.
  mutating func crop(
    _ input: GraphValue, to ranges: [Range<Int>?]
  ) throws(NetconvError) -> GraphValue {
    var value = input
    // Images and sequences have layers of their own for this.
    guard input.shape.rank <= 3 else {
      guard
        zip(ranges, input.shape.dimensions).contains(where: { range, length in
          range.map { $0 != 0..<(length ?? 0) } ?? false
        })
      else { return input }
      return try draft(
        Slice(
          starts: ranges.map { $0?.lowerBound ?? 0 }, counts: ranges.map { $0?.count },
          steps: ranges.map { _ in 1 }), [input])
    }
    for (axis, range) in ranges.enumerated() {
      guard let range, let length = input.shape.dimensions[axis], range != 0..<length else {
        continue
      }
      value = try crop(value, axis, before: range.lowerBound, after: length - range.upperBound)
    }
    return value
  }

  /// Drafts a crop along one of at most three axes, which is brought to the front of images and sequences.
  private mutating func crop(
    _ value: GraphValue, _ axis: Int, before: Int, after: Int
  ) throws(NetconvError) -> GraphValue {
    let rank = value.shape.rank
    switch (rank, axis) {
    case (1, _):
      let line = try draft(Reshape(shape: [value.shape.dimensions[0] ?? -1, 1]), [value])
      let cropped = try draft(Cropping1D(before: before, after: after), [line])
      return try draft(Flatten(), [cropped])
    case (2, 0): return try draft(Cropping1D(before: before, after: after), [value])
    case (3, 0):
      return try draft(Cropping2D(top: before, bottom: after, left: 0, right: 0), [value])
    case (3, 1):
      return try draft(Cropping2D(top: 0, bottom: 0, left: before, right: after), [value])
    default:
      // The last axis comes first, and goes back.
      let order = [rank - 1] + Array(0..<rank - 1)
      let moved = try draft(Permute(order: order), [value])
      let cropped = try crop(moved, 0, before: before, after: after)
      return try draft(Permute(order: Array(1..<rank) + [0]), [cropped])
    }
  }

  // MARK: - Side by side

  /// Values, or constants, one behind the other along an axis.
  mutating func concatenate(
    _ parts: [GraphResult], along axis: Int
  ) throws(NetconvError) -> GraphResult {
    if let constants = parts.constants {
      return .constant(try .joined(constants, along: axis, at: node))
    }
    let values = try parts.indices.map { index throws(NetconvError) in try value(parts, index) }
    guard let first = values.first else { throw .missingOperand(0, operation) }
    let along = try resolvedAxis(axis, rank: first.rank)
    guard along > 0 else { throw .batchAxis }
    guard values.allSatisfy({ $0.merged == first.merged && $0.shape.rank == first.shape.rank })
    else { throw .mergedBatch }
    guard values.count > 1 else { return .value(first) }
    let own = along - 1 + first.merged
    return .value(
      try draft(
        Concatenate(axis: own == first.shape.rank - 1 ? -1 : own), values,
        axes: .counted(moved: { rank in Concatenate(axis: movedAxis(own, rank: rank)) }),
        merged: first.merged))
  }
}

extension [GraphResult] {
  /// The constants that they are; `nil` if one is none.
  var constants: [GraphConstant]? {
    var constants: [GraphConstant] = []
    for case .constant(let constant) in self { constants.append(constant) }
    return constants.count == count ? constants : nil
  }
}

extension GraphConstant {
  /// The integers that it lists, besides those of the batch.
  fileprivate func integerParts() throws(NetconvError) -> [Int] {
    try numbers().map { number throws(NetconvError) in
      guard let integer = Int(exactly: number) else { throw .noInteger(number, path) }
      return integer
    }
  }
}
