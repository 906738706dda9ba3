import ModelIR
import Operators

// Operations that rearrange or reshape values.

extension GraphBuilder {
  /// Inserts axes of size 1, at the indices `axes` of the result.
  mutating func expand(_ x: GraphResult, at axes: [Int]) throws(NetconvError) -> GraphResult {
    if case .constant(let constant) = x { return .constant(try constant.expanded(at: axes)) }
    let input = try value([x], 0)
    let new = Set(try resolvedAxes(axes, rank: input.rank + axes.count))
    guard new.count == axes.count else { throw .wrongSlice }
    if let blocked = drafts[input.draft].blocked {
      guard new == [1], input.batch == .first, let image = blocked.asImage else {
        throw .dealsOutMore
      }
      return .value(draft(image, shape: Shape([1] + input.shape.dimensions)))
    }
    var rest = Array(0..<input.rank)[...]
    return .value(
      try arranged(
        input, (0..<input.rank + axes.count).map { new.contains($0) ? nil : rest.removeFirst() }))
  }

  /// Removes axes of size 1: the given axes, or all.
  mutating func squeeze(_ x: GraphResult, _ axes: [Int]?) throws(NetconvError) -> GraphResult {
    if case .constant(let constant) = x { return .constant(try constant.squeezed(axes)) }
    let input = try value([x], 0)
    let sizes = graphSizes(of: input).dimensions
    let removed: Set<Int>
    if let axes {
      removed = Set(try resolvedAxes(axes, rank: input.rank))
    } else {
      guard input.shape.known != nil else { throw .openSize(input.shape) }
      removed = Set(sizes.indices.filter { sizes[$0] == 1 })
    }
    guard !removed.contains(where: { sizes[$0] == nil && $0 == input.batch?.axis }) else {
      throw .batchAxis
    }
    guard removed.allSatisfy({ sizes[$0] == 1 }) else {
      throw .squeezesMore(sizes.map { $0 ?? -1 })
    }
    if let blocked = drafts[input.draft].blocked {
      guard removed == [1], blocked.isLine else { throw .dealsOutMore }
      return .value(draft(blocked, shape: Shape(Array(input.shape.dimensions.dropFirst()))))
    }
    return .value(try arranged(input, sizes.indices.filter { !removed.contains($0) }))
  }

  /// Removes some axes of the graph from a value, and inserts others of size 1.
  ///
  /// - Parameter axes: the axes of the result, in order: an axis of the value, or `nil` for a new one.
  mutating func arranged(
    _ value: GraphValue, _ axes: [Int?]
  ) throws(NetconvError) -> GraphValue {
    var sizes: [Int?] = []
    for axis in axes {
      sizes += axis.map { value.sampleAxes($0).map { value.shape.dimensions[$0] } } ?? [1]
    }
    let batch = value.batch.flatMap { place in
      axes.firstIndex(of: place.axis).map { axis in
        GraphValue.BatchPlace(axis: axis, outer: place.outer, inner: place.inner)
      }
    }
    return try reshape(value, to: Shape(sizes)).with(batch)
  }

  /// Permutes the axes of a value or constant.
  mutating func transpose(_ x: GraphResult, _ order: [Int]) throws(NetconvError) -> GraphResult {
    if case .constant(let constant) = x {
      return .constant(constant.transposed(try checked(order, rank: constant.shape.count)))
    }
    let input = try value([x], 0)
    let order = try checked(order, rank: input.rank)
    if order == Array(0..<input.rank) { return x }
    let own = order.flatMap { Array(input.sampleAxes($0)) }
    let batch = input.batch.map { place in
      GraphValue.BatchPlace(
        axis: order.firstIndex(of: place.axis) ?? 0, outer: place.outer, inner: place.inner)
    }
    // Only the axis of the batch moves.
    if own == Array(own.indices) { return .value(input.with(batch)) }
    return .value(try draft(Permute(order: own), [input]).with(batch))
  }

  private func checked(_ order: [Int], rank: Int) throws(NetconvError) -> [Int] {
    let order = try resolvedAxes(order, rank: rank)
    guard Set(order).count == rank, order.count == rank else { throw .wrongPermutation(order) }
    return order
  }

  // MARK: - Reshaping

  /// Reshapes a value or constant.
  ///
  /// One of the sizes is that of the batch, possibly times axes merged with it.
  mutating func reshape(
    _ x: GraphResult, to sizes: GraphConstant
  ) throws(NetconvError) -> GraphResult {
    if case .constant(let constant) = x {
      return .constant(try constant.resized(to: sizes.integers()))
    }
    let input = try value([x], 0)
    var numbers = try sizes.integerParts()
    let batches = sizes.batches ?? numbers.map { _ in 0 }
    guard numbers.allSatisfy({ $0 >= -1 }), numbers.count(where: { $0 == -1 }) <= 1,
      batches.count(where: { $0 != 0 }) <= 1
    else { throw .wrongReshape(input.shape.dimensions.map { $0 ?? -1 }, numbers) }
    if let same = keepingLast(input, numbers, batches) { return .value(same) }
    guard let own = input.shape.known else { throw .openSize(input.shape) }
    let count = try product(own)
    guard let place = input.batch else {
      guard !sizes.countsBatches else { throw .countsBatches(node) }
      let target = try completed(numbers, count: count, of: own)
      return .value(try reshape(input, to: Shape(target)).with(nil))
    }
    guard !numbers.isEmpty, count > 0 else { throw .batchAxis }
    let front = Array(own.prefix(place.axis + place.outer))
    let back = Array(own.dropFirst(front.count))
    let before = try product(front)
    if sizes.countsBatches {
      // A multiple of the batch, with at most one open size beside it.
      let times = try times(of: batches)
      if let open = numbers.firstIndex(of: -1) {
        let others = try product(numbers.filter { $0 > 0 } + [times])
        guard others > 0, count % others == 0 else { throw .wrongReshape(own, numbers) }
        numbers[open] = count / others
      }
    } else if let batchSize {
      numbers = try completed(numbers, count: product([count, batchSize]), of: own)
      if batchSize == 1 { return .value(try reshaped(input, numbers, before)) }
    }
    let axis = try batchAxis(in: numbers, batches, after: before)
    let outer = before / (try product(Array(numbers.prefix(axis))))
    let rest = Array(numbers.dropFirst(axis + 1))
    // The axis of the batch also holds values of each sample.
    let merged: Int
    if batches[axis] != 0 {
      merged = try times(of: batches)
    } else if numbers[axis] == -1 {
      let others = try product(Array(numbers.prefix(axis)) + rest)
      guard others > 0, count % others == 0 else { throw .wrongReshape(own, numbers) }
      merged = count / others
    } else {
      merged = numbers[axis] / (batchSize ?? 1)
    }
    guard merged > 0, merged % outer == 0 else { throw .batchInside }
    let inner = merged / outer
    let behind = try product(back)
    guard behind % inner == 0 else { throw .wrongReshape(own, numbers) }
    let target = try completed(rest, count: behind / inner, of: own)
    let outerAxes = Array(wholeAxes(of: outer, in: front.reversed()).reversed())
    let innerAxes = wholeAxes(of: inner, in: back)
    return .value(
      try reshape(
        input, to: Shape(Array(numbers.prefix(axis)) + outerAxes + innerAxes + target)
      ).with(
        GraphValue.BatchPlace(axis: axis, outer: outerAxes.count, inner: innerAxes.count)))
  }

  /// Reshapes a batch of one sample, whose axis has size 1 at the right index or is absent.
  private mutating func reshaped(
    _ input: GraphValue, _ sizes: [Int], _ before: Int
  ) throws(NetconvError) -> GraphValue {
    var prefix = 1
    for (axis, size) in sizes.enumerated() {
      if size == 1, prefix == before {
        var rest = sizes
        rest.remove(at: axis)
        return try reshape(input, to: Shape(rest)).with(.init(axis: axis))
      }
      prefix = try product([prefix, size])
    }
    return try reshape(input, to: Shape(sizes)).with(nil)
  }

  /// The factor of the batch size in the size of a merged axis.
  private func times(of batches: [Double]) throws(NetconvError) -> Int {
    guard let times = Int(exactly: batches.reduce(0, +)), times > 0 else {
      throw .countsBatches(node)
    }
    return times
  }

  /// The leading axes whose product is `count`; a single axis of this size if there are none, and no axes if it is 1.
  private func wholeAxes(of count: Int, in sizes: [Int]) -> [Int] {
    if count == 1 { return [] }
    var axes: [Int] = []
    for size in sizes where axes.reduce(1, *) < count { axes.append(size) }
    return axes.reduce(1, *) == count ? axes : [count]
  }

  /// Sizes with -1 replaced by the size that is left for `count` values.
  private func completed(
    _ sizes: [Int], count: Int, of own: [Int]
  ) throws(NetconvError) -> [Int] {
    var sizes = sizes
    if let open = sizes.firstIndex(of: -1) {
      let others = try product(sizes.filter { $0 != -1 })
      guard others > 0, count % others == 0 else { throw .wrongReshape(own, sizes) }
      sizes[open] = count / others
    }
    guard try product(sizes) == count else { throw .wrongReshape(own, sizes) }
    return sizes
  }

  /// The axis of the target shape that holds the batch: the one in which the axes before the batch end.
  private func batchAxis(
    in sizes: [Int], _ batches: [Double], after before: Int
  ) throws(NetconvError) -> Int {
    var prefix = 1
    var stated: Int?
    for (axis, size) in sizes.enumerated() {
      if prefix == before, stated == nil { stated = size }
      if before % prefix == 0 {
        let outer = before / prefix
        // A constant size is that of the batch or a multiple of it.
        let repeats = batchSize.map { size > 0 && size % (outer * $0) == 0 } ?? false
        if batches[axis] != 0 || size == -1 || repeats { return axis }
      }
      guard size > 0 else { break }
      prefix = try product([prefix, size])
    }
    throw batches.contains { $0 != 0 } ? .batchInside : .fixedBatch(stated ?? sizes[0])
  }

  /// Reshapes a value whose last axes stay, with all axes before them merged with the batch.
  private func keepingLast(
    _ input: GraphValue, _ sizes: [Int], _ batches: [Double]
  ) -> GraphValue? {
    let rest = sizes.dropFirst()
    guard input.batch == .first, batches[0] == 0, sizes[0] == -1, rest.count < input.shape.rank,
      !rest.isEmpty, input.shape.known == nil,
      Array(input.shape.dimensions.suffix(rest.count)) == rest.map(Optional.init)
    else { return nil }
    return input.with(
      GraphValue.BatchPlace(inner: input.shape.rank - rest.count))
  }

  /// Drafts a reshape of samples, unless the shape stays the same.
  mutating func reshape(_ value: GraphValue, to shape: Shape) throws(NetconvError) -> GraphValue {
    guard shape != value.shape else {
      return GraphValue(draft: value.draft, shape: shape)
    }
    // A reshape back to the earlier shape cancels the one before it.
    if case .layer(let layer) = drafts[value.draft].content, layer.operation is Reshape,
      let before = layer.inputs.first, drafts[before].shape == shape, shape.known != nil
    {
      return GraphValue(draft: before, shape: shape)
    }
    if shape.rank == 1, value.shape.rank > 1 { return try draft(Flatten(), [value]) }
    // The operator can infer one open size.
    guard shape.dimensions.count(where: { $0 == nil }) <= 1 else { throw .openSize(shape) }
    return try draft(Reshape(shape: shape.dimensions.map { $0 ?? -1 }), [value])
  }

  /// Splits axes of the samples, permutes them and merges them again.
  mutating func rearrange(
    _ value: GraphValue, apart: [Int], _ order: [Int], joined: [Int]
  ) throws(NetconvError) -> GraphValue {
    let split = try reshape(value, to: Shape(apart))
    return try reshape(draft(Permute(order: order), [split]), to: Shape(joined))
  }

  /// The shape of a value or constant, as a constant.
  ///
  /// One size may be that of the batch.
  func shape(of x: GraphResult, type: GraphElement) throws(NetconvError) -> GraphConstant {
    switch x {
    case .constant(let constant):
      return GraphConstant(
        constant.shape.map { Double($0) }, shape: [constant.shape.count], type: type, path: node)
    case .value(let value):
      guard let own = value.shape.known else { throw .openSize(value.shape) }
      var (sizes, batches): ([Double], [Double]) = ([], [])
      for axis in 0..<value.rank {
        let size = Double(value.sampleAxes(axis).reduce(1) { $0 * own[$1] })
        // A batch size of one is an ordinary number.
        let counts = axis == value.batch?.axis && batchSize != 1
        sizes.append(counts ? 0 : size)
        batches.append(counts ? size : 0)
      }
      return GraphConstant(
        sizes, shape: [sizes.count], type: type, batches: batches, path: node)
    default: throw .unknownOperation(operation)
    }
  }
}

extension GraphConstant {
  /// The integers of the constant, without the parts that are multiples of the batch size.
  fileprivate func integerParts() throws(NetconvError) -> [Int] {
    try numbers().map { number throws(NetconvError) in
      guard let integer = Int(exactly: number) else { throw .noInteger(number, path) }
      return integer
    }
  }
}

extension NetconvError {
  fileprivate static func fixedBatch(_ size: Int) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "the axis of the batch becomes \(size), whatever the batch is; if that is the size of each batch, state it with "
        + "\(.graphInput), such as name=\("\(size)")x28x28x1")
  }

  fileprivate static var batchInside: NetconvError {
    NetconvError(
      .badData,
      "puts values of several samples together otherwise than in their order, which is not read")
  }
}
