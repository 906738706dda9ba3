import ModelIR
import Operators

// Operations that rearrange, combine or reduce constants.

extension GraphConstant {
  /// The values at the indices `places`, in `shape`.
  private func taking(
    _ places: [Int], shape: [Int], at path: String
  ) throws(NetconvError) -> GraphConstant {
    let numbers = try numbers()
    return GraphConstant(
      places.map { numbers[$0] }, shape: shape, type: type,
      batches: batches.map { batches in places.map { batches[$0] } }, path: path)
  }

  /// The values reshaped to sizes of which one may be -1.
  ///
  /// - Throws: `badData` if the counts of elements differ.
  func resized(to sizes: [Int]) throws(NetconvError) -> GraphConstant {
    var shape = sizes
    let known = try product(shape.filter { $0 != -1 })
    if let open = shape.firstIndex(of: -1) {
      guard known > 0, count % known == 0 else { throw .wrongReshape(self.shape, shape) }
      shape[open] = count / known
    }
    // Sizes beside a size of 0 must not overflow either.
    _ = try product(shape.map { max(1, $0) })
    guard try product(shape) == count, shape.allSatisfy({ $0 >= 0 }) else {
      throw .wrongReshape(self.shape, shape)
    }
    return try reshaped(shape)
  }

  /// Inserts axes of size 1, at the indices `axes` of the result.
  func expanded(at axes: [Int]) throws(NetconvError) -> GraphConstant {
    var sizes = shape
    for axis in try resolvedAxes(axes, rank: sizes.count + axes.count).sorted() {
      sizes.insert(1, at: axis)
    }
    return try reshaped(sizes)
  }

  /// Removes axes of size 1: the given axes, or all.
  func squeezed(_ axes: [Int]?) throws(NetconvError) -> GraphConstant {
    let named = try axes.map { axes throws(NetconvError) in
      Set(try resolvedAxes(axes, rank: shape.count))
    }
    let removed = named ?? Set(shape.indices.filter { shape[$0] == 1 })
    guard removed.allSatisfy({ shape[$0] == 1 }) else { throw .squeezesMore(shape) }
    return try reshaped(shape.indices.filter { !removed.contains($0) }.map { shape[$0] })
  }

  /// A strided slice of the values.
  ///
  /// - Parameter shape: the shape of the result; by default that of the slice.
  func sliced(
    _ parts: [StridedSlice.Part], shape: [Int]? = nil, at path: String
  ) throws(NetconvError) -> GraphConstant {
    _ = try foldedCount(of: parts.map(\.count))
    var places = [0]
    for (part, size) in zip(parts, self.shape) {
      places = places.flatMap { place in
        (0..<part.count).map { place * size + part.start + $0 * part.stride }
      }
    }
    return try taking(places, shape: shape ?? parts.map(\.count), at: path)
  }

  /// The parts of the values along an axis, in order.
  func split(
    along axis: Int, sizes: [Int], at path: String
  ) throws(NetconvError) -> [GraphConstant] {
    var start = 0
    var parts: [GraphConstant] = []
    for size in sizes {
      var ranges = shape.map { StridedSlice.Part(start: 0, stride: 1, count: $0) }
      ranges[axis] = StridedSlice.Part(start: start, stride: 1, count: size)
      parts.append(try sliced(ranges, at: "\(path):\(parts.count)"))
      start += size
    }
    return parts
  }

  /// The slices at each index of an axis, without the axis.
  func unstacked(along axis: Int, at path: String) throws(NetconvError) -> [GraphConstant] {
    _ = try foldedCount(of: shape)
    guard shape[axis] <= 1 << 16 else { throw .wrongSlice }
    var rest = shape
    let length = rest.remove(at: axis)
    return try split(along: axis, sizes: [Int](repeating: 1, count: length), at: path).map {
      part throws(NetconvError) in try part.reshaped(rest)
    }
  }

  /// The values at some indices of an axis, which is replaced by the axes of `indices`.
  func gathered(
    _ indices: GraphConstant, along axis: Int, at path: String
  ) throws(NetconvError) -> GraphConstant {
    _ = try foldedCount(of: shape)
    let along = try resolvedAxis(axis, rank: shape.count)
    let numbers = try indices.integers()
    guard numbers.allSatisfy({ (0..<shape[along]).contains($0) }) else { throw .wrongSlice }
    let length = shape[along]
    let outer = shape[..<along].reduce(1, *)
    let inner = shape[(along + 1)...].reduce(1, *)
    let gathered = Array(shape[..<along]) + indices.shape + shape[(along + 1)...]
    _ = try foldedCount(of: gathered)
    var places: [Int] = []
    for o in 0..<outer {
      for index in numbers { places += (0..<inner).map { (o * length + index) * inner + $0 } }
    }
    return try taking(places, shape: gathered, at: path)
  }

  /// The values broadcast to a larger shape.
  func broadcast(to shape: [Int], at path: String) throws(NetconvError) -> GraphConstant {
    guard shape.allSatisfy({ $0 >= 0 }) else { throw .wrongSlice }
    return try .folded(
      .add, of: [self, .filled(0, shape: shape, type: type, at: path)], at: path)
  }

  /// The array repeated along each axis by the given counts.
  func tiled(_ counts: [Int], at path: String) throws(NetconvError) -> GraphConstant {
    guard counts.count == shape.count, counts.allSatisfy({ $0 >= 0 }) else { throw .wrongSlice }
    let tiled = try zip(shape, counts).map { size, count throws(NetconvError) in
      try product([size, count])
    }
    _ = try foldedCount(of: tiled)
    var places = [0]
    for (size, whole) in zip(shape, tiled) {
      places = places.flatMap { place in (0..<whole).map { place * size + $0 % size } }
    }
    return try taking(places, shape: tiled, at: path)
  }

  // MARK: - Creation and concatenation

  /// A constant with the same number everywhere.
  static func filled(
    _ number: Double, shape: [Int], type: GraphElement, at path: String
  ) throws(NetconvError) -> GraphConstant {
    guard shape.allSatisfy({ $0 >= 0 }) else { throw .wrongSlice }
    return GraphConstant(
      [Double](repeating: number, count: try foldedCount(of: shape)), shape: shape, type: type,
      path: path)
  }

  /// Evenly spaced numbers, without the limit.
  static func range(
    from start: GraphConstant, to limit: GraphConstant, by step: GraphConstant, at path: String
  ) throws(NetconvError) -> GraphConstant {
    guard let first = try start.scalar(), let limit = try limit.scalar(),
      let step = try step.scalar(), step != 0, first.isFinite, limit.isFinite, step.isFinite
    else { throw .countsBatches(path) }
    let count = max(0, ((limit - first) / step).rounded(.up))
    guard count <= Double(numberLimit) else {
      throw .tooManyNumbers(Int(clamping: Int64(min(count, 1e18))), limit: numberLimit)
    }
    let numbers = (0..<Int(count)).map { first + Double($0) * step }
    return GraphConstant(numbers, shape: [numbers.count], type: start.type, path: path)
  }

  /// Stacks arrays of one shape along a new axis.
  static func stacked(
    _ parts: [GraphConstant], along axis: Int, at path: String
  ) throws(NetconvError) -> GraphConstant {
    guard let first = parts.first else { throw .wrongSlice }
    let along = try resolvedAxis(axis, rank: first.shape.count + 1)
    return try joined(
      try parts.map { part throws(NetconvError) in
        guard part.shape == first.shape else { throw .shapesDiffer(first.shape, part.shape) }
        return try part.expanded(at: [along])
      }, along: along, at: path)
  }

  /// Concatenates arrays along an axis.
  static func joined(
    _ parts: [GraphConstant], along axis: Int, at path: String
  ) throws(NetconvError) -> GraphConstant {
    guard var shape = parts.first?.shape else { throw .wrongSlice }
    let axis = try resolvedAxis(axis, rank: shape.count)
    for part in parts { _ = try foldedCount(of: part.shape) }
    for part in parts.dropFirst() {
      guard part.shape.count == shape.count,
        shape.indices.allSatisfy({ $0 == axis || part.shape[$0] == shape[$0] })
      else { throw .shapesDiffer(shape, part.shape) }
      shape[axis] += part.shape[axis]
    }
    _ = try foldedCount(of: shape)
    let outer = shape[..<axis].reduce(1, *)
    var numbers: [Double] = []
    var batches: [Double] = []
    let values = try parts.map { part throws(NetconvError) in try part.numbers() }
    for o in 0..<outer {
      for (part, values) in zip(parts, values) {
        let run = part.shape[axis...].reduce(1, *)
        numbers += values[o * run..<(o + 1) * run]
        batches += part.batches?[o * run..<(o + 1) * run] ?? ArraySlice(repeating: 0, count: run)
      }
    }
    return GraphConstant(numbers, shape: shape, type: parts[0].type, batches: batches, path: path)
  }

  // MARK: - Reductions

  /// The reduction of the values along some axes.
  ///
  /// - Throws: `badData` if values depend on the batch size, except for a product of sizes of which one does.
  func reduced(
    _ function: Reduce.Function, axes: [Int], keepDimensions: Bool, at path: String
  ) throws(NetconvError) -> GraphConstant {
    _ = try foldedCount(of: shape)
    let axes = Set(axes)
    let numbers = try numbers()
    // A product of sizes that include the batch size is the only such reduction in graphs.
    var batch = 0.0
    if let batches {
      let counted = batches.indices.filter { batches[$0] != 0 }
      guard function == .product, shape.count == 1, axes == [0], counted.count == 1,
        numbers[counted[0]] == 0
      else { throw .countsBatches(path) }
      batch = batches.indices.reduce(1) { $0 * ($1 == counted[0] ? batches[$1] : numbers[$1]) }
    }
    let kept = shape.indices.map { axes.contains($0) ? 1 : shape[$0] }
    let places = BroadcastPlaces(of: kept, in: shape)
    var results: [Int: Double] = [:]
    for (index, number) in numbers.enumerated() {
      results[places[index]] =
        results[places[index]].map { function.combined($0, number) } ?? number
    }
    var reduced = (0..<kept.reduce(1, *)).map { results[$0] ?? (function == .product ? 1 : 0) }
    if function == .mean {
      let share = Double(count) / Double(max(1, reduced.count))
      reduced = reduced.map { type.isInteger ? ($0 / share).rounded(.towardZero) : $0 / share }
    }
    let sizes = shape.indices.compactMap { axis -> Int? in
      axes.contains(axis) ? (keepDimensions ? 1 : nil) : shape[axis]
    }
    return GraphConstant(
      reduced, shape: sizes, type: type, batches: batch == 0 ? nil : [batch], path: path)
  }
}

extension Reduce.Function {
  /// Combines two values; means are divided at the end.
  fileprivate func combined(_ first: Double, _ second: Double) -> Double {
    switch self {
    case .sum, .mean: first + second
    case .maximum: max(first, second)
    case .minimum: min(first, second)
    case .product: first * second
    }
  }
}

/// The index of an axis, from 0, for one that may be negative.
func resolvedAxis(_ axis: Int, rank: Int) throws(NetconvError) -> Int {
  guard (-rank..<rank).contains(axis) else { throw .axisOutside(axis, rank: rank) }
  return axis < 0 ? axis + rank : axis
}

/// The indices of axes, from 0, in the given order.
func resolvedAxes(_ axes: [Int], rank: Int) throws(NetconvError) -> [Int] {
  try axes.map { axis throws(NetconvError) in try resolvedAxis(axis, rank: rank) }
}

/// The sizes of the parts that an axis is split into.
///
/// - Parameter sizes: one of them may be -1.
func splitSizes(_ sizes: [Int], of length: Int) throws(NetconvError) -> [Int] {
  var sizes = sizes
  var left = length
  for size in sizes where size > 0 {
    guard size <= left else { throw .wrongSlice }
    left -= size
  }
  if let open = sizes.firstIndex(of: -1) { (sizes[open], left) = (left, 0) }
  guard left == 0, sizes.allSatisfy({ $0 >= 0 }) else { throw .wrongSlice }
  return sizes
}

/// The sizes of `count` equal parts.
func splitSizes(in count: Int, of length: Int) throws(NetconvError) -> [Int] {
  guard count > 0, count <= 1 << 16, length % count == 0, count <= length else { throw .wrongSlice }
  return [Int](repeating: length / count, count: count)
}

/// The number of values to compute for an array.
///
/// For the limit, an empty axis counts as 1, since loops visit the others.
///
/// - Throws: `badData` if there are too many.
func foldedCount(of shape: [Int]) throws(NetconvError) -> Int {
  let places = try product(shape.map { max(1, $0) })
  guard places <= GraphConstant.numberLimit else {
    throw .tooManyNumbers(places, limit: GraphConstant.numberLimit)
  }
  return try product(shape)
}
