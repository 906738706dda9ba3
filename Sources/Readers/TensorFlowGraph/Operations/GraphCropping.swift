import ModelIR
import Operators

/// Slices and splits.
///
/// Source: tensorflow/core/ops/array_ops.cc, `Slice`, `StridedSlice`, `Split` and `SplitV`;
/// tensorflow/core/util/strided_slice_op.cc, `ValidateStridedSliceOp`.
enum GraphCropping: GraphOperation {
  static let names = ["Slice", "Split", "SplitV", "StridedSlice"]
  static let operators: [any Operator.Type] = [
    Cropping1D.self, Cropping2D.self, Flatten.self, Permute.self, Reshape.self, Slice.self,
  ]
  static let folded = names
  static let refused = ["the batch's axis", "parts of axes whose size is open"]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    switch node.operation {
    case "Split":
      guard let axis = try node.constant(0).integers().first else { throw .wrongSlice }
      let count = node.integer("num_split", default: 1)
      return try graph.split(node.input(1), along: axis) { length throws(NetconvError) in
        try splitSizes(in: count, of: length)
      }
    case "SplitV":
      guard let axis = try node.constant(2).integers().first else { throw .wrongSlice }
      let sizes = try node.constant(1).integers()
      return try graph.split(node.input(0), along: axis) { length throws(NetconvError) in
        try splitSizes(sizes, of: length)
      }
    case "Slice":
      return [
        try graph.slice(node.input(0)) { shape throws(NetconvError) in try slice(node, of: shape) }
      ]
    default:
      return [
        try graph.slice(node.input(0)) { shape throws(NetconvError) in
          try stridedSlice(node, of: shape)
        }
      ]
    }
  }

  /// The slice of a `Slice` operation, which states a size per axis; -1 is the rest.
  private static func slice(
    _ node: MappedNode, of shape: [Int?]
  ) throws(NetconvError) -> StridedSlice {
    let begin = try node.constant(1).integers()
    let sizes = try node.constant(2)
    let numbers = try sizes.numbers()
    guard begin.count == shape.count, numbers.count == shape.count else { throw .wrongSlice }
    var slice = StridedSlice(of: shape)
    for (axis, length) in shape.enumerated() {
      let batches = sizes.batches?[axis] ?? 0
      // The size is that of the batch.
      if axis == 0, batches == 1, begin[0] == 0, numbers[0] == 0 {
        try slice.takeAll()
        continue
      }
      guard batches == 0, let size = Int(exactly: numbers[axis]) else {
        throw .countsBatches(node.name)
      }
      guard let length else {
        guard begin[axis] == 0, size == -1 else {
          throw axis == 0 ? .batchAxis : .openSlice(axis)
        }
        try slice.takeAll()
        continue
      }
      guard (0...length).contains(begin[axis]), size >= -1, size <= length - begin[axis] else {
        throw .wrongSlice
      }
      try slice.take(from: begin[axis], to: size == -1 ? length : begin[axis] + size, by: 1)
    }
    return slice
  }

  /// The slice of a `StridedSlice` operation, whose masks qualify its begin, end and strides.
  private static func stridedSlice(
    _ node: MappedNode, of shape: [Int?]
  ) throws(NetconvError) -> StridedSlice {
    let begin = try node.constant(1).integers()
    let end = try node.constant(2).integers()
    let strides = try node.constant(3).integers()
    guard begin.count == end.count, begin.count == strides.count, begin.count <= 64 else {
      throw .wrongSlice
    }
    func has(_ mask: String, _ index: Int) -> Bool {
      node.integer(mask, default: 0) >> index & 1 == 1
    }
    let ellipsis = begin.indices.first { has("ellipsis_mask", $0) }
    let named = begin.indices.count { $0 != ellipsis && !has("new_axis_mask", $0) }
    guard named <= shape.count else { throw .wrongSlice }
    var slice = StridedSlice(of: shape)
    for index in begin.indices {
      if index == ellipsis {
        for _ in 0..<shape.count - named { try slice.takeAll() }
      } else if has("new_axis_mask", index) {
        slice.addAxis()
      } else if has("shrink_axis_mask", index) {
        try slice.take(index: begin[index])
      } else {
        try slice.take(
          from: has("begin_mask", index) ? nil : begin[index],
          to: has("end_mask", index) ? nil : end[index], by: strides[index])
      }
    }
    while slice.parts.count < shape.count { try slice.takeAll() }
    return slice
  }
}
