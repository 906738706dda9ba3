import ModelIR
import Operators

// Values at given indices, and values that are replaced at given indices.

extension GraphBuilder {
  /// Gathers the values at indices that follow from what is fed; axis indices include the batch.
  ///
  /// - Parameter perSample: true if each sample has its own indices; otherwise those of all samples are combined.
  mutating func gather(
    _ x: GraphValue, at indices: GraphValue, along axis: Int, perSample: Bool
  ) throws(NetconvError) -> GraphResult {
    let axis = try resolvedAxis(axis, rank: x.rank)
    let own = try x.sampleAxis(axis)
    if perSample || x.batch == nil && indices.batch == nil {
      guard x.batch == indices.batch, x.batch == nil || x.batch == .first else { throw .batchAxis }
      return .value(try draft(Gather(axis: own), [x, indices], batch: x.batch))
    }
    let all = try whole(indices)
    var batch = x.batch
    if let place = batch, axis < place.axis { batch?.axis += all.shape.rank - 1 }
    return .value(try draft(Gather(axis: own), [x, all], batch: batch))
  }

  /// Gathers the values at the given indices along an axis, element by element; axis indices include the batch.
  mutating func gatherElements(
    _ x: GraphValue, at indices: GraphResult, along axis: Int
  ) throws(NetconvError) -> GraphResult {
    let own = try x.sampleAxis(axis)
    if case .constant(let constant) = indices {
      guard constant.shape.count == x.rank, let sizes = constant.tableSizes(beside: x),
        let shape = x.shape.known
      else { throw .notPerChannel(constant.shape, x.shape) }
      let places = try constant.reshaped(sizes).elementPlaces(along: own, of: shape)
      return .value(try take(places, of: x, shaped: sizes).with(x.batch))
    }
    let indices = try value([indices], 0)
    guard indices.batch == x.batch else { throw .batchAxis }
    return .value(
      try draft(Gather(axis: own, byElement: true), [x, indices], batch: x.batch))
  }

  /// Gathers slices at tuples of indices along the first axes.
  ///
  /// - Parameter batchAxes: the count of leading axes that values and indices share.
  mutating func gatherSlices(
    _ x: GraphValue, at indices: GraphResult, batchAxes: Int
  ) throws(NetconvError) -> GraphResult {
    if case .constant(let constant) = indices {
      let all = try whole(x)
      let places = try IndexTuples(constant, of: all.shape, batchAxes: batchAxes)
      return .value(try take(places.places, of: all, shaped: places.shape))
    }
    var (x, tuples) = (x, try value([indices], 0))
    if batchAxes == 0 {
      (x, tuples) = (try whole(x), try whole(tuples))
    } else {
      guard batchAxes == 1, x.batch == .first, tuples.batch == .first else { throw .batchAxis }
    }
    guard let sizes = x.shape.known, case let depth?? = tuples.shape.dimensions.last,
      (1...max(1, sizes.count)).contains(depth)
    else { throw .wrongSlice }
    // The offset of a slice: indices from the start, times the sizes of the axes after them.
    let strides = (0..<depth).map { Double(sizes[($0 + 1)..<depth].reduce(1, *)) }
    func row(_ numbers: [Double]) -> GraphResult {
      let shape = [Int](repeating: 1, count: tuples.rank - 1) + [depth]
      return .constant(
        GraphConstant(numbers, shape: shape, type: .float32, path: "\(node)/sizes"))
    }
    let given = GraphResult.value(tuples)
    let positive = try apply(
      .select,
      [
        apply(.less, [given, .number(0)]),
        apply(.add, [given, row(sizes.prefix(depth).map { Double($0) })]), given,
      ])
    let offsets = try reduce(
      .sum, apply(.multiply, [positive, row(strides)]), axes: [-1], keepDimensions: false)
    let rest = sizes.dropFirst(depth)
    let flat = try reshape(
      x, to: Shape([sizes.prefix(depth).reduce(1, *)] + rest))
    return .value(
      try draft(Gather(axis: 0), [flat, value([offsets], 0)], batch: x.batch))
  }

  /// Replaces values at constant offsets, or combines them with updates.
  ///
  /// - Parameters:
  ///   - places: returns the offset in the values for each update, given the shape of the values.
  ///   - function: how a value and its update are combined; `nil` for a replacement.
  /// - Throws: `badData` if an offset is repeated, and there is no function.
  mutating func scatter(
    _ updates: GraphResult, into x: GraphResult, _ function: PointFunction?,
    at places: ([Int]) throws(NetconvError) -> [Int]
  ) throws(NetconvError) -> GraphResult {
    let (x, updates) = (try whole(x), try whole(updates))
    let shape = try sizes(of: x)
    let places = try places(shape)
    guard places.count == (try product(sizes(of: updates))) else { throw .wrongSlice }
    var result = x
    for sources in try rounds(places, count: foldedCount(of: shape), isOne: function == nil) {
      var moved = try self.updates(updates, at: sources.map { $0 ?? 0 }, shape)
      if let function { moved = try apply(function, [result, moved]) }
      let mask = GraphConstant(
        sources.map { $0 == nil ? 0 : 1 }, shape: shape, type: .truth, path: "\(node)/mask")
      result = try apply(.select, [.constant(mask), moved, result])
    }
    return result
  }

  /// For each offset, the update that is written there; repeated offsets are written in several rounds.
  private func rounds(
    _ places: [Int], count: Int, isOne: Bool
  ) throws(NetconvError) -> [[Int?]] {
    var rounds: [[Int?]] = []
    var seen = [Int](repeating: 0, count: count)
    for (update, place) in places.enumerated() {
      guard seen.indices.contains(place), seen[place] < (isOne ? 1 : 16) else {
        throw .repeatedOffset
      }
      if rounds.count == seen[place] { rounds.append([Int?](repeating: nil, count: count)) }
      rounds[seen[place]][place] = update
      seen[place] += 1
    }
    return rounds
  }

  /// The updates at the given indices, in the shape of the values.
  private mutating func updates(
    _ updates: GraphResult, at indices: [Int], _ shape: [Int]
  ) throws(NetconvError) -> GraphResult {
    guard case .constant(let constant) = updates else {
      return .value(try take(indices, of: value([updates], 0), shaped: shape))
    }
    let numbers = try constant.numbers()
    return .constant(
      GraphConstant(
        indices.map { numbers[$0] }, shape: shape, type: constant.type, path: "\(node)/updates"))
  }

  private func sizes(of x: GraphResult) throws(NetconvError) -> [Int] {
    if case .constant(let constant) = x { return constant.shape }
    let shape = try value([x], 0).shape
    guard let sizes = shape.known else { throw .openSize(shape) }
    return sizes
  }

  /// The values at offsets of a sample, in another shape.
  private mutating func take(
    _ places: [Int], of x: GraphValue, shaped shape: [Int]
  ) throws(NetconvError) -> GraphValue {
    guard let sizes = x.shape.known else { throw .openSize(x.shape) }
    let flat = try reshape(x.with(nil), to: Shape([product(sizes)]))
    return try reshape(take(places, of: flat, along: 0), to: Shape(shape)).with(nil)
  }

  // MARK: - Whole batches

  /// A value with the batch of one as an axis of the sample.
  ///
  /// - Throws: `badData` if the batch may be larger.
  private mutating func whole(_ x: GraphValue) throws(NetconvError) -> GraphValue {
    guard x.batch != nil else { return x }
    guard batchSize == 1 else { throw .batchAxis }
    return try reshape(x, to: graphSizes(of: x)).with(nil)
  }

  private mutating func whole(_ x: GraphResult) throws(NetconvError) -> GraphResult {
    if case .constant = x { return x }
    return .value(try whole(value([x], 0)))
  }
}

extension GraphConstant {
  /// Returns the offset in values of `shape` that each index selects along an axis, element by element.
  ///
  /// - Throws: `badData` if an index is out of range, or the indices have larger sizes than the values.
  func elementPlaces(along axis: Int, of shape: [Int]) throws(NetconvError) -> [Int] {
    let gather = Gather(axis: axis, byElement: true)
    _ = try gather.outputShape(for: [Shape(shape), Shape(self.shape)])
    let runs = try gather.runs(of: shape, self.shape)
    let numbers = try numbers()
    return try runs.starts.indices.map { run throws(NetconvError) in
      try runs.start(run) { numbers[$0] }
    }
  }
}

/// The offsets of slices at tuples of indices along the first axes.
struct IndexTuples {
  /// The offset of each value, in row-major order of the result.
  let places: [Int]
  /// The shape of the result: the axes of the tuples, then those of a slice.
  let shape: [Int]

  /// Creates the offsets in values of a shape.
  ///
  /// - Parameters:
  ///   - tuples: the indices, whose last axis is that of a tuple; negative ones count from the end.
  ///   - batchAxes: the count of leading axes that values and tuples share.
  /// - Throws: `badData` if an index is out of range.
  init(_ tuples: GraphConstant, of values: Shape, batchAxes: Int) throws(NetconvError) {
    guard let sizes = values.known, let depth = tuples.shape.last, depth > 0,
      batchAxes >= 0, batchAxes < tuples.shape.count, batchAxes + depth <= sizes.count,
      tuples.shape.prefix(batchAxes).elementsEqual(sizes.prefix(batchAxes))
    else { throw .wrongSlice }
    let inner = sizes.dropFirst(batchAxes + depth)
    let length = try product(Array(inner))
    let count = tuples.count / depth
    _ = try foldedCount(of: [count, length])
    let perBatch = count / max(1, try product(Array(sizes.prefix(batchAxes))))
    let numbers = try tuples.integers()
    var places: [Int] = []
    for tuple in 0..<count {
      var offset = tuple / max(1, perBatch)
      for index in 0..<depth {
        let size = sizes[batchAxes + index]
        var number = numbers[tuple * depth + index]
        if number < 0 { number += size }
        guard (0..<size).contains(number) else { throw .wrongSlice }
        offset = offset * size + number
      }
      places += (0..<length).map { offset * length + $0 }
    }
    self.places = places
    shape = tuples.shape.dropLast() + inner
  }
}

extension NetconvError {
  fileprivate static let repeatedOffset = NetconvError(
    .badData, "writes to one place more than once, or outside of the values")
}
