import ModelIR
import Operators

/// Operations on constants that put values elsewhere, or sum them.
struct FoldedArrangement {
  let node: MappedNode
  let inputs: [GraphConstant]

  /// The operations that there are.
  static let names: Set = [
    "BroadcastTo", "Cast", "Concat", "ConcatV2", "ExpandDims", "Fill", "Gather", "GatherV2",
    "InvertPermutation", "Max", "Mean", "Min", "Pack", "Prod", "Range", "Reshape",
    "Select", "SelectV2", "Slice", "Split", "SplitV", "Squeeze", "StridedSlice", "Sum",
    "Tile", "Transpose", "Unpack",
  ]

  /// What the node gives; `nil` if it does something else.
  func results() throws(NetconvError) -> [GraphConstant]? {
    switch node.operation {
    case "BroadcastTo": [try broadcast()]
    case "Cast": [try inputs[0].cast(to: node.type("DstT") ?? inputs[0].type)]
    case "Concat": [try concatenated(Array(inputs.dropFirst()), axisAt: 0)]
    case "ConcatV2": [try concatenated(Array(inputs.dropLast()), axisAt: inputs.count - 1)]
    case "ExpandDims": [try expanded()]
    case "Fill": [try filled()]
    case "Gather", "GatherV2": [try gathered()]
    case "InvertPermutation": [try inverted()]
    case "Max": [try reduced { max($0, $1) }]
    case "Mean": [try mean()]
    case "Min": [try reduced { min($0, $1) }]
    case "Pack": [try packed()]
    case "Prod": [try reduced(*)]
    case "Range": [try range()]
    case "Reshape": [try reshaped()]
    case "Select", "SelectV2": [try selected()]
    case "Slice": [try sliced()]
    case "Split": try split(axisAt: 0, dataAt: 1, sizes: nil)
    case "SplitV": try split(axisAt: 2, dataAt: 0, sizes: node.constant(1).integers())
    case "Squeeze": [try inputs[0].reshaped(squeezed())]
    case "StridedSlice": [try stridedSlice()]
    case "Sum": [try reduced(+)]
    case "Tile": [try tiled()]
    case "Transpose": [inputs[0].transposed(try permutation())]
    case "Unpack": try unpacked()
    default: nil
    }
  }

  // MARK: - Places

  /// The values of `source` at `places`, in `shape`.
  private func taking(
    _ places: [Int], of source: GraphConstant, shape: [Int], part: Int? = nil
  ) throws(NetconvError) -> GraphConstant {
    let numbers = try source.numbers()
    return GraphConstant(
      places.map { numbers[$0] }, shape: shape, type: source.type,
      batches: source.batches.map { batches in places.map { batches[$0] } },
      path: part.map { "\(node.name):\($0)" } ?? node.name)
  }

  private func permutation() throws(NetconvError) -> [Int] {
    let rank = inputs[0].shape.count
    let order = try node.axes(1, rank: rank)
    guard Set(order).count == rank, order.count == rank else { throw .wrongPermutation(order) }
    return order
  }

  private func inverted() throws(NetconvError) -> GraphConstant {
    let order = try inputs[0].integers()
    guard order.sorted() == Array(order.indices) else { throw .wrongPermutation(order) }
    var inverse = [Double](repeating: 0, count: order.count)
    for (index, axis) in order.enumerated() { inverse[axis] = Double(index) }
    return GraphConstant(inverse, shape: inputs[0].shape, type: inputs[0].type, path: node.name)
  }

  private func expanded() throws(NetconvError) -> GraphConstant {
    let rank = inputs[0].shape.count
    guard let axis = try node.constant(1).integers().first else { throw .wrongSlice }
    var shape = inputs[0].shape
    shape.insert(1, at: try resolvedAxis(axis, rank: rank + 1))
    return try inputs[0].reshaped(shape)
  }

  private func squeezed() throws(NetconvError) -> [Int] {
    let shape = inputs[0].shape
    let named = node.integers("squeeze_dims") ?? node.integers("axis") ?? []
    var axes: Set<Int> = []
    for axis in named { axes.insert(try resolvedAxis(axis, rank: shape.count)) }
    if named.isEmpty { axes = Set(shape.indices.filter { shape[$0] == 1 }) }
    guard axes.allSatisfy({ shape[$0] == 1 }) else { throw .squeezesMore(shape) }
    return shape.indices.filter { !axes.contains($0) }.map { shape[$0] }
  }

  private func reshaped() throws(NetconvError) -> GraphConstant {
    var shape = try node.constant(1).integers()
    let known = try product(shape.filter { $0 != -1 })
    if let open = shape.firstIndex(of: -1) {
      guard known > 0, inputs[0].count % known == 0 else {
        throw .wrongReshape(inputs[0].shape, shape)
      }
      shape[open] = inputs[0].count / known
    }
    // Sizes beside one of 0 have to be countable too.
    _ = try product(shape.map { max(1, $0) })
    guard try product(shape) == inputs[0].count, shape.allSatisfy({ $0 >= 0 }) else {
      throw .wrongReshape(inputs[0].shape, shape)
    }
    return try inputs[0].reshaped(shape)
  }

  private func stridedSlice() throws(NetconvError) -> GraphConstant {
    let source = inputs[0]
    let slice = try StridedSlice(of: source.shape, node)
    return try taking(
      places(slice.parts.map { ($0.start, $0.stride, $0.count) }, in: source.shape), of: source,
      shape: slice.axes.map { axis in axis.map { slice.parts[$0].count } ?? 1 })
  }

  private func sliced() throws(NetconvError) -> GraphConstant {
    let source = inputs[0]
    let begin = try node.constant(1).integers()
    var size = try node.constant(2).integers()
    guard begin.count == source.shape.count, size.count == begin.count else { throw .wrongSlice }
    for axis in size.indices {
      guard (0...source.shape[axis]).contains(begin[axis]) else { throw .wrongSlice }
      if size[axis] == -1 { size[axis] = source.shape[axis] - begin[axis] }
      guard (0...source.shape[axis] - begin[axis]).contains(size[axis]) else { throw .wrongSlice }
    }
    return try taking(
      places(begin.indices.map { (begin[$0], 1, size[$0]) }, in: source.shape), of: source,
      shape: size)
  }

  /// The places of a part of an array, in order.
  private func places(
    _ parts: [(start: Int, stride: Int, count: Int)], in shape: [Int]
  ) throws(NetconvError) -> [Int] {
    _ = try foldedCount(of: parts.map(\.count))
    var places = [0]
    for (part, size) in zip(parts, shape) {
      places = places.flatMap { place in
        (0..<part.count).map { place * size + part.start + $0 * part.stride }
      }
    }
    return places
  }

  private func gathered() throws(NetconvError) -> GraphConstant {
    let source = inputs[0]
    _ = try foldedCount(of: source.shape)
    let axis = inputs.count > 2 ? try node.constant(2).integers().first ?? 0 : 0
    let along = try resolvedAxis(axis, rank: source.shape.count)
    let indices = try node.constant(1).integers()
    guard indices.allSatisfy({ (0..<source.shape[along]).contains($0) }) else { throw .wrongSlice }
    let outer = source.shape[..<along].reduce(1, *)
    let inner = source.shape[(along + 1)...].reduce(1, *)
    let shape = Array(source.shape[..<along]) + inputs[1].shape + source.shape[(along + 1)...]
    _ = try foldedCount(of: shape)
    var places: [Int] = []
    for o in 0..<outer {
      for index in indices {
        places += (0..<inner).map { (o * source.shape[along] + index) * inner + $0 }
      }
    }
    return try taking(places, of: source, shape: shape)
  }

  private func split(
    axisAt: Int, dataAt: Int, sizes: [Int]?
  ) throws(NetconvError) -> [GraphConstant] {
    let source = try node.constant(dataAt)
    guard let named = try node.constant(axisAt).integers().first else { throw .wrongSlice }
    let axis = try resolvedAxis(named, rank: source.shape.count)
    let sizes = try splitSizes(node, sizes, of: source.shape[axis])
    var start = 0
    var parts: [GraphConstant] = []
    for size in sizes {
      var ranges = source.shape.map { (0, 1, $0) }
      ranges[axis] = (start, 1, size)
      parts.append(
        try taking(
          places(ranges, in: source.shape), of: source, shape: ranges.map(\.2), part: parts.count))
      start += size
    }
    return parts
  }

  private func unpacked() throws(NetconvError) -> [GraphConstant] {
    let source = inputs[0]
    let axis = try resolvedAxis(node.integer("axis", default: 0), rank: source.shape.count)
    _ = try foldedCount(of: source.shape)
    guard source.shape[axis] <= 1 << 16 else { throw .wrongSlice }
    return try (0..<source.shape[axis]).map { index throws(NetconvError) in
      var ranges = source.shape.map { (0, 1, $0) }
      ranges[axis] = (index, 1, 1)
      var shape = source.shape
      shape.remove(at: axis)
      return try taking(
        places(ranges, in: source.shape), of: source, shape: shape, part: index)
    }
  }

  private func broadcast() throws(NetconvError) -> GraphConstant {
    let shape = try node.constant(1).integers()
    guard shape.allSatisfy({ $0 >= 0 }) else { throw .wrongSlice }
    let zeros = GraphConstant(
      [Double](repeating: 0, count: try foldedCount(of: shape)), shape: shape, type: inputs[0].type,
      path: node.name)
    guard let sum = FoldedBinary("Add") else { return zeros }
    return try sum.applied(to: inputs[0], zeros, at: node.name)
  }

  private func tiled() throws(NetconvError) -> GraphConstant {
    let source = inputs[0]
    let counts = try node.constant(1).integers()
    guard counts.count == source.shape.count, counts.allSatisfy({ $0 >= 0 }) else {
      throw .wrongSlice
    }
    let shape = try zip(source.shape, counts).map { size, count throws(NetconvError) in
      try product([size, count])
    }
    _ = try foldedCount(of: shape)
    var places = [0]
    for (axis, size) in source.shape.enumerated() {
      places = places.flatMap { place in (0..<shape[axis]).map { place * size + $0 % size } }
    }
    return try taking(places, of: source, shape: shape)
  }

  // MARK: - Making and joining

  private func filled() throws(NetconvError) -> GraphConstant {
    let shape = try inputs[0].integers()
    guard shape.allSatisfy({ $0 >= 0 }) else { throw .wrongSlice }
    let value = try node.constant(1)
    guard let number = try value.scalar() else { throw .wrongSlice }
    return GraphConstant(
      [Double](repeating: number, count: try foldedCount(of: shape)), shape: shape,
      type: value.type, path: node.name)
  }

  private func range() throws(NetconvError) -> GraphConstant {
    guard let start = try inputs[0].scalar(), let limit = try node.constant(1).scalar(),
      let step = try node.constant(2).scalar(), step != 0, start.isFinite, limit.isFinite,
      step.isFinite
    else { throw .countsBatches(node.name) }
    let count = max(0, ((limit - start) / step).rounded(.up))
    guard count <= Double(GraphConstant.numberLimit) else {
      throw .tooManyNumbers(
        Int(clamping: Int64(min(count, 1e18))), limit: GraphConstant.numberLimit)
    }
    let numbers = (0..<Int(count)).map { start + Double($0) * step }
    return GraphConstant(numbers, shape: [numbers.count], type: inputs[0].type, path: node.name)
  }

  private func packed() throws(NetconvError) -> GraphConstant {
    let rank = inputs[0].shape.count
    let axis = try resolvedAxis(node.integer("axis", default: 0), rank: rank + 1)
    var shape = inputs[0].shape
    shape.insert(1, at: axis)
    return try joined(
      try inputs.map { input throws(NetconvError) in
        guard input.shape == inputs[0].shape else {
          throw .shapesDiffer(inputs[0].shape, input.shape)
        }
        return try input.reshaped(shape)
      }, along: axis)
  }

  private func concatenated(
    _ parts: [GraphConstant], axisAt: Int
  ) throws(NetconvError) -> GraphConstant {
    guard let first = parts.first, let axis = try node.constant(axisAt).integers().first else {
      throw .wrongSlice
    }
    return try joined(parts, along: try resolvedAxis(axis, rank: first.shape.count))
  }

  private func joined(
    _ parts: [GraphConstant], along axis: Int
  ) throws(NetconvError) -> GraphConstant {
    guard var shape = parts.first?.shape else { throw .wrongSlice }
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
    return GraphConstant(
      numbers, shape: shape, type: parts[0].type, batches: batches, path: node.name)
  }

  private func selected() throws(NetconvError) -> GraphConstant {
    guard inputs.count == 3 else { throw .missingOperand(2, node.operation) }
    guard !inputs[0].countsBatches else { throw .countsBatches(node.name) }
    let condition = try inputs[0].numbers()
    if condition.count == 1 { return condition[0] != 0 ? inputs[1] : inputs[2] }
    guard inputs[0].shape == inputs[1].shape, inputs[1].shape == inputs[2].shape else {
      throw .shapesDiffer(inputs[0].shape, inputs[1].shape)
    }
    guard !inputs[1].countsBatches, !inputs[2].countsBatches else {
      throw .countsBatches(node.name)
    }
    let (first, second) = (try inputs[1].numbers(), try inputs[2].numbers())
    return GraphConstant(
      condition.indices.map { condition[$0] != 0 ? first[$0] : second[$0] },
      shape: inputs[1].shape, type: inputs[1].type, path: node.name)
  }

  // MARK: - Sums

  private func mean() throws(NetconvError) -> GraphConstant {
    let sum = try reduced(+)
    let share = Double(inputs[0].count) / Double(max(1, sum.count))
    let means = try sum.numbers().map { $0 / share }
    return GraphConstant(
      sum.type.isInteger ? means.map { $0.rounded(.towardZero) } : means, shape: sum.shape,
      type: sum.type, path: node.name)
  }

  private func reduced(
    _ combine: (Double, Double) -> Double
  ) throws(NetconvError) -> GraphConstant {
    let source = inputs[0]
    _ = try foldedCount(of: source.shape)
    let rank = source.shape.count
    let axes = Set(try node.axes(1, rank: rank))
    let numbers = try source.numbers()
    let keeps = node.flag("keep_dims", default: node.flag("keepdims", default: false))
    // A product of sizes of which one counts batches is the only such thing that graphs compute.
    var batch = 0.0
    if let batches = source.batches {
      let counted = batches.indices.filter { batches[$0] != 0 }
      guard node.operation == "Prod", rank == 1, axes == [0], counted.count == 1,
        numbers[counted[0]] == 0
      else { throw .countsBatches(node.name) }
      batch = batches.indices.reduce(1) { $0 * ($1 == counted[0] ? batches[$1] : numbers[$1]) }
    }
    let kept = source.shape.indices.map { axes.contains($0) ? 1 : source.shape[$0] }
    let places = BroadcastPlaces(of: kept, in: source.shape)
    var sums: [Int: Double] = [:]
    for (index, number) in numbers.enumerated() {
      let place = places[index]
      sums[place] = sums[place].map { combine($0, number) } ?? number
    }
    let identity = node.operation == "Prod" ? 1.0 : 0
    let shape = source.shape.indices.compactMap { axis -> Int? in
      axes.contains(axis) ? (keeps ? 1 : nil) : source.shape[axis]
    }
    return GraphConstant(
      (0..<kept.reduce(1, *)).map { sums[$0] ?? identity }, shape: shape, type: source.type,
      batches: batch == 0 ? nil : [batch], path: node.name)
  }
}

/// How long the parts are that an axis is split into.
func splitSizes(_ node: MappedNode, _ sizes: [Int]?, of length: Int) throws(NetconvError) -> [Int] {
  guard var sizes else {
    let count = node.integer("num_split", default: 1)
    guard count > 0, count <= 1 << 16, length % count == 0, count <= length else {
      throw .wrongSlice
    }
    return [Int](repeating: length / count, count: count)
  }
  var left = length
  for size in sizes where size > 0 {
    guard size <= left else { throw .wrongSlice }
    left -= size
  }
  if let open = sizes.firstIndex(of: -1) { (sizes[open], left) = (left, 0) }
  guard left == 0, sizes.allSatisfy({ $0 >= 0 }) else { throw .wrongSlice }
  return sizes
}

/// How many values an array has that is computed; an axis without places still has to be gone through beside others.
///
/// - Throws: `badData` if there are too many to compute with.
func foldedCount(of shape: [Int]) throws(NetconvError) -> Int {
  let places = try product(shape.map { max(1, $0) })
  guard places <= GraphConstant.numberLimit else {
    throw .tooManyNumbers(places, limit: GraphConstant.numberLimit)
  }
  return try product(shape)
}
