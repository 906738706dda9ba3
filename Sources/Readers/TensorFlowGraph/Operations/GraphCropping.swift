import ModelIR
import Operators

/// Parts of a value.
///
/// Source: tensorflow/core/ops/array_ops.cc, `Slice`, `StridedSlice`, `Split` and `SplitV`.
enum GraphCropping: GraphOperation {
  static let names = ["Slice", "Split", "SplitV", "StridedSlice"]
  static let operators: [any Operator.Type] = [
    Cropping1D.self, Cropping2D.self, Flatten.self, Permute.self, Reshape.self, Slice.self,
  ]
  static let refused = ["the batch's axis", "parts of axes whose size is open"]

  static func results(
    of node: MappedNode, _ graph: inout GraphMapper
  ) throws(NetconvError) -> [GraphResult] {
    switch node.operation {
    case "Split": try split(node, &graph, axisAt: 0, dataAt: 1, sizes: nil)
    case "SplitV":
      try split(node, &graph, axisAt: 2, dataAt: 0, sizes: node.constant(1).integers())
    case "Slice": [.value(try slice(node, &graph))]
    default: [.value(try stridedSlice(node, &graph))]
    }
  }

  private static func slice(
    _ node: MappedNode, _ graph: inout GraphMapper
  ) throws(NetconvError) -> GraphValue {
    let input = try node.sample(0)
    let begin = try node.constant(1).integers()
    let sizes = try node.constant(2)
    let numbers = try sizes.numbers()
    guard begin.count == input.rank, numbers.count == input.rank else { throw .wrongSlice }
    let isWholeBatch =
      numbers[0] == -1 || sizes.batches?[0] == 1
      || graph.batchSize.map { Double($0) } == numbers[0]
    guard begin[0] == 0, isWholeBatch else { throw .batchAxis }
    var ranges: [Range<Int>?] = []
    for axis in 1..<input.rank {
      guard let size = Int(exactly: numbers[axis]), sizes.batches?[axis] ?? 0 == 0 else {
        throw .countsBatches(node.name)
      }
      guard let length = input.shape.dimensions[axis - 1] else {
        guard begin[axis] == 0, size == -1 else { throw .openSlice(axis) }
        ranges.append(nil)
        continue
      }
      guard (0...length).contains(begin[axis]), size >= -1, size <= length - begin[axis] else {
        throw .wrongSlice
      }
      ranges.append(begin[axis]..<(size == -1 ? length : begin[axis] + size))
    }
    return try crop(input, to: ranges, &graph)
  }

  private static func stridedSlice(
    _ node: MappedNode, _ graph: inout GraphMapper
  ) throws(NetconvError) -> GraphValue {
    let input = try node.sample(0)
    let shape = [graph.batchSize] + input.shape.dimensions
    let slice = try StridedSlice(of: shape, node)
    guard slice.axes.first == 0, slice.parts[0].start == 0, slice.parts[0].stride == 1,
      slice.parts[0].count == graph.batchSize ?? -1
    else {
      throw .batchAxis
    }
    let parts = slice.parts.dropFirst()
    let isOpen = input.shape.dimensions.map { $0 == nil }
    let cropped: GraphValue
    if parts.contains(where: { $0.stride != 1 && $0.count != 1 }) {
      cropped = try graph.draft(
        Slice(
          starts: parts.map(\.start), counts: zip(parts, isOpen).map { $1 ? nil : $0.count },
          steps: parts.map(\.stride)), [input])
    } else {
      cropped = try crop(
        input, to: zip(parts, isOpen).map { $1 ? nil : $0.start..<$0.start + $0.count }, &graph)
    }
    let kept = slice.axes.dropFirst().map { axis in
      axis.map { cropped.shape.dimensions[$0 - 1] } ?? 1
    }
    return try graph.reshape(cropped, to: Shape(Array(kept)))
  }

  private static func split(
    _ node: MappedNode, _ graph: inout GraphMapper, axisAt: Int, dataAt: Int, sizes: [Int]?
  ) throws(NetconvError) -> [GraphResult] {
    let input = try node.sample(dataAt)
    guard let named = try node.constant(axisAt).integers().first else { throw .wrongSlice }
    let axis = try resolvedAxis(named, rank: input.rank)
    guard axis > 0 else { throw .batchAxis }
    guard let length = input.shape.dimensions[axis - 1] else { throw .openSlice(axis) }
    var start = 0
    return try splitSizes(node, sizes, of: length).map { size throws(NetconvError) in
      var ranges = [Range<Int>?](repeating: nil, count: input.shape.rank)
      ranges[axis - 1] = start..<start + size
      start += size
      return .value(try crop(input, to: ranges, &graph))
    }
  }

  /// The part of a value that lies in `ranges`, of which there is one for each axis; `nil` takes all.
  private static func crop(
    _ input: GraphValue, to ranges: [Range<Int>?], _ graph: inout GraphMapper
  ) throws(NetconvError) -> GraphValue {
    var value = input
    // Images and sequences have layers of their own for this.
    guard input.shape.rank <= 3 else {
      guard
        zip(ranges, input.shape.dimensions).contains(where: { range, length in
          range.map { $0 != 0..<(length ?? 0) } ?? false
        })
      else { return input }
      return try graph.draft(
        Slice(
          starts: ranges.map { $0?.lowerBound ?? 0 }, counts: ranges.map { $0?.count },
          steps: ranges.map { _ in 1 }), [input])
    }
    for (axis, range) in ranges.enumerated() {
      guard let range, let length = input.shape.dimensions[axis], range != 0..<length else {
        continue
      }
      value = try graph.crop(
        value, axis, before: range.lowerBound, after: length - range.upperBound)
    }
    return value
  }
}

extension GraphMapper {
  /// Drafts a crop along one of at most three axes, which is brought to the front of images and sequences.
  fileprivate mutating func crop(
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
}
