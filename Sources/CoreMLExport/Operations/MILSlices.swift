import ModelIR

/// Slices, parts and padding.
enum MILSlices: MILTranslation {
  static let operations = [
    "Slice": "`slice_by_index`, `reverse`", "Split": "`split`", "Pad": "`pad`",
  ]

  static func write(
    _ node: MILNode, to program: inout MILBuilder
  ) throws(NetconvError) -> [MILValue] {
    let x = try node.input(0)
    switch node.type {
    case "Slice": return [try program.slice(x, node)]
    case "Split": return try program.split(x, x.axis(node.int("axis", 0)), node.node.outputs.count)
    default:
      let amounts = try node.ints(1)
      let sides = (0..<x.rank).map { [amounts[$0], amounts[$0 + x.rank]] }
      guard sides[0] == [0, 0], node.string("mode") ?? "constant" == "constant" else {
        throw .notInCoreML("this padding")
      }
      return [try program.pad(x, Array(sides.dropFirst()))]
    }
  }
}

extension MILBuilder {
  /// Adds zeros at both ends of the last axes.
  mutating func pad(_ x: MILValue, _ sides: [[Int]]) throws(NetconvError) -> MILValue {
    let kept = x.rank - sides.count
    let shape = x.shape.enumerated().map { axis, size in
      axis < kept ? size : size.map { $0 + sides[axis - kept].reduce(0, +) }
    }
    return try add(
      "pad",
      [
        ("x", .value(x)), ("pad", .ints(sides.flatMap(\.self))), ("mode", .string("constant")),
        ("constant_val", .float(0)),
      ], shape: shape)
  }

  /// Reverses the order along an axis, or drops the reversal before it.
  mutating func reverse(_ x: MILValue, _ axis: Int) throws(NetconvError) -> MILValue {
    try rearrange(
      "reverse", x, [axis], shape: x.shape, parameter: "axes", inverse: ("reverse", [axis]))
  }

  /// Slices the first axes from a start to an end, with a positive step.
  mutating func slice(
    _ x: MILValue, _ parts: [(start: Int, end: Int, step: Int)]
  ) throws(NetconvError) -> MILValue {
    let rest = x.rank - parts.count
    let shape =
      parts.map { part -> Int? in max(0, (part.end - part.start + part.step - 1) / part.step) }
      + x.shape.suffix(rest)
    let isWhole =
      [Bool](repeating: false, count: parts.count) + [Bool](repeating: true, count: rest)
    return try slice(
      x, parts.map(\.start) + [Int](repeating: 0, count: rest),
      parts.map(\.end) + [Int](repeating: 0, count: rest),
      parts.map(\.step) + [Int](repeating: 1, count: rest), isWhole, isWhole, shape)
  }

  private mutating func slice(
    _ x: MILValue, _ starts: [Int], _ ends: [Int], _ steps: [Int], _ fromStart: [Bool],
    _ toEnd: [Bool], _ shape: [Int?]
  ) throws(NetconvError) -> MILValue {
    try add(
      "slice_by_index",
      [
        ("x", .value(x)), ("begin", .ints(starts)), ("end", .ints(ends)), ("stride", .ints(steps)),
        ("begin_mask", .bools(fromStart)), ("end_mask", .bools(toEnd)),
        ("squeeze_mask", .bools(starts.map { _ in false })),
      ], shape: shape, data: x.type.data)
  }

  /// Slices a value as a node says; negative steps are positive ones of the reversed value.
  fileprivate mutating func slice(_ x: MILValue, _ node: MILNode) throws(NetconvError) -> MILValue {
    var x = x
    var (starts, ends, steps) = (
      x.shape.map { _ in 0 }, x.shape.map { _ in 0 }, x.shape.map { _ in 1 }
    )
    var (fromStart, toEnd) = (x.shape.map { _ in true }, x.shape.map { _ in true })
    var shape = x.shape
    var lists = try (1...3).map { index throws(NetconvError) in try node.ints(index) }
    lists.append(node.optional(4) == nil ? lists[0].map { _ in 1 } : try node.ints(4))
    var reversed: [Int] = []
    for index in lists[0].indices {
      let axis = x.axis(lists[2][index])
      let part = try MILSlice(
        start: lists[0][index], end: lists[1][index], step: lists[3][index], size: x.shape[axis])
      if part.isReversed { reversed.append(axis) }
      (starts[axis], ends[axis], steps[axis]) = (part.start, part.end ?? 0, part.step)
      (fromStart[axis], toEnd[axis]) = (part.start == 0, part.end == nil)
      shape[axis] = part.count
    }
    for axis in reversed { x = try reverse(x, axis) }
    guard steps.contains(where: { $0 != 1 }) || fromStart.contains(false) || toEnd.contains(false)
    else { return x }
    return try slice(x, starts, ends, steps, fromStart, toEnd, shape)
  }

  fileprivate mutating func split(
    _ x: MILValue, _ axis: Int, _ count: Int
  ) throws(NetconvError) -> [MILValue] {
    guard let size = x.shape[axis], size % count == 0 else { throw .openSizeForCoreML }
    var shape = x.shape
    shape[axis] = size / count
    return try add(
      "split", [("x", .value(x)), ("num_splits", .int(count)), ("axis", .int(axis))],
      outputs: [MILType](repeating: MILType(data: x.type.data, shape: shape), count: count))
  }
}

/// The slice of one axis, with a positive step.
private struct MILSlice {
  /// The first index, which may count from the end.
  let start: Int
  /// The end, which may count from the end; `nil` for the end of the axis.
  let end: Int?
  let step: Int
  /// The number of values; `nil` if it depends on an open size.
  let count: Int?
  /// True if the axis is reversed first.
  let isReversed: Bool

  /// Creates the slice with a step that may be negative.
  init(start: Int, end: Int, step: Int, size: Int?) throws(NetconvError) {
    if let size {
      let range = (step < 0 ? -1 : 0)...(step < 0 ? size - 1 : size)
      let first = min(max(start < 0 ? start + size : start, range.lowerBound), range.upperBound)
      let last = min(max(end < 0 ? end + size : end, range.lowerBound), range.upperBound)
      let stride = abs(step)
      let span = step < 0 ? first - last : last - first
      let count = max(0, (span + stride - 1) / stride)
      guard count > 0 else { throw .notInCoreML("an empty slice") }
      (self.count, self.step, isReversed) = (count, stride, step < 0)
      self.start = step < 0 ? size - 1 - first : first
      let stop = self.start + span
      self.end = stop == size ? nil : stop
      return
    }
    // The whole axis in reverse, or a part that leaves out some values at both ends.
    if step == -1, start == -1, end < -(1 << 30) {
      (self.start, self.end, self.step, count, isReversed) = (0, nil, 1, nil, true)
      return
    }
    guard step == 1, start >= 0 || end > 1 << 30 else { throw .openSizeForCoreML }
    self.start = start
    self.end = end > 1 << 30 ? nil : end
    self.step = 1
    count =
      start >= 0 && end >= 0 && end < 1 << 30
      ? end - start
      : start < 0 ? -start : nil
    isReversed = false
  }
}
