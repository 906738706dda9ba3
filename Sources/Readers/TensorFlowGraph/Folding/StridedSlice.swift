import ModelIR

/// A part of an array: from each axis, every so many places.
///
/// Source: tensorflow/core/util/strided_slice_op.cc, `ValidateStridedSliceOp`.
struct StridedSlice {
  /// What is taken along an axis of the array.
  struct Part {
    let start: Int
    let stride: Int
    let count: Int
  }

  /// One for each axis of the array.
  private(set) var parts: [Part] = []
  /// The axes of the result: one of the array, or a new one of size 1.
  private(set) var axes: [Int?] = []

  /// The part that a node asks for.
  ///
  /// - Parameters:
  ///   - shape: of the array; an axis of which the size is not known can only be taken whole.
  ///   - node: with begin, end and strides behind the array.
  init(of shape: [Int?], _ node: MappedNode) throws(NetconvError) {
    let begin = try node.constant(1).integers()
    let end = try node.constant(2).integers()
    let strides = try node.constant(3).integers()
    guard begin.count == end.count, begin.count == strides.count, begin.count <= 64 else {
      throw .wrongSlice
    }
    let masks = Masks(node)
    let isNew = { (index: Int) in masks.has(masks.newAxis, index) }
    let ellipsis = begin.indices.first { masks.has(masks.ellipsis, $0) }
    let named = begin.indices.count { $0 != ellipsis && !isNew($0) }
    guard named <= shape.count else { throw .wrongSlice }
    for index in begin.indices {
      if index == ellipsis {
        for _ in 0..<shape.count - named { try takeWhole(shape) }
      } else if isNew(index) {
        axes.append(nil)
      } else {
        try take(shape, index, (begin[index], end[index], strides[index]), masks)
      }
    }
    while parts.count < shape.count { try takeWhole(shape) }
  }

  private mutating func takeWhole(_ shape: [Int?]) throws(NetconvError) {
    axes.append(parts.count)
    parts.append(Part(start: 0, stride: 1, count: shape[parts.count] ?? -1))
  }

  private mutating func take(
    _ shape: [Int?], _ index: Int, _ asked: (begin: Int, end: Int, stride: Int), _ masks: Masks
  ) throws(NetconvError) {
    let axis = parts.count
    let takesBegin = masks.has(masks.begin, index)
    let takesEnd = masks.has(masks.end, index)
    let isOne = masks.has(masks.shrink, index)
    guard let size = shape[axis] else {
      guard takesBegin || asked.begin == 0, takesEnd, asked.stride == 1, !isOne else {
        throw axis == 0 ? .batchAxis : .openSlice(axis)
      }
      return try takeWhole(shape)
    }
    if isOne {
      let start = asked.begin < 0 ? asked.begin + size : asked.begin
      guard (0..<size).contains(start) else { throw .wrongSlice }
      parts.append(Part(start: start, stride: 1, count: 1))
      return
    }
    let stride = asked.stride
    guard stride != 0 else { throw .wrongSlice }
    let limits = stride > 0 ? (0, size) : (-1, size - 1)
    func place(_ value: Int) -> Int {
      min(max(value < 0 ? value + size : value, limits.0), limits.1)
    }
    let start = takesBegin ? (stride > 0 ? 0 : size - 1) : place(asked.begin)
    let end = takesEnd ? (stride > 0 ? size : -1) : place(asked.end)
    let length = stride > 0 ? end - start : start - end
    axes.append(axis)
    parts.append(
      Part(
        start: start, stride: stride,
        count: length <= 0 ? 0 : (length - 1) / stride.magnitudeAsInt + 1))
  }

  private struct Masks {
    let begin: Int
    let end: Int
    let ellipsis: Int
    let newAxis: Int
    let shrink: Int

    init(_ node: MappedNode) {
      begin = node.integer("begin_mask", default: 0)
      end = node.integer("end_mask", default: 0)
      ellipsis = node.integer("ellipsis_mask", default: 0)
      newAxis = node.integer("new_axis_mask", default: 0)
      shrink = node.integer("shrink_axis_mask", default: 0)
    }

    func has(_ mask: Int, _ index: Int) -> Bool { mask >> index & 1 == 1 }
  }
}

extension Int {
  fileprivate var magnitudeAsInt: Int { Int(clamping: magnitude) }
}
