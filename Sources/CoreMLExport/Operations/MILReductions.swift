import ModelIR

/// Reductions along axes, and the indices of the largest values.
enum MILReductions: MILTranslation {
  private static let same = [
    "ReduceSum": "reduce_sum", "ReduceMean": "reduce_mean", "ReduceMax": "reduce_max",
    "ReduceMin": "reduce_min", "ReduceProd": "reduce_prod", "ReduceL2": "reduce_l2_norm",
  ]

  static let operations: [String: String] = same.mapValues { "`\($0)`" }.merging([
    "ArgMax": "`reduce_argmax`", "ArgMin": "`reduce_argmin`", "TopK": "`topk`",
  ]) { first, _ in first }

  static func write(
    _ node: MILNode, to program: inout MILBuilder
  ) throws(NetconvError) -> [MILValue] {
    let x = try node.input(0)
    let keeps = node.int("keepdims", 1) == 1
    switch node.type {
    case "ArgMax", "ArgMin":
      return [try program.index(node, x, x.axis(node.int("axis", 0)), keeps: keeps)]
    case "TopK": return try program.top(node, x)
    default:
      let axes: [Int]
      if let own = node.ints("axes") { axes = own } else { axes = try node.ints(1) }
      return [
        try program.reduce(same[node.type] ?? "", x, axes.map { x.axis($0) }, keeps: keeps)
      ]
    }
  }
}

extension MILBuilder {
  /// Reduces a value along axes.
  mutating func reduce(
    _ type: String, _ x: MILValue, _ axes: [Int], keeps: Bool
  ) throws(NetconvError) -> MILValue {
    guard !axes.isEmpty else { return x }
    return try add(
      type, [("x", .value(x)), ("axes", .ints(axes)), ("keep_dims", .bool(keeps))],
      shape: x.shape.reduced(axes, keeps: keeps))
  }

  /// Returns the index of the largest or smallest value along an axis.
  fileprivate mutating func index(
    _ node: MILNode, _ x: MILValue, _ axis: Int, keeps: Bool
  ) throws(NetconvError) -> MILValue {
    let takesLast = node.int("select_last_index", 0) == 1
    let values = takesLast ? try reverse(x, axis) : x
    let type = node.type == "ArgMax" ? "reduce_argmax" : "reduce_argmin"
    let index = try add(
      type, [("x", .value(values)), ("axis", .int(axis)), ("keep_dims", .bool(keeps))],
      shape: x.shape.reduced([axis], keeps: keeps), data: .int32)
    guard takesLast else { return index }
    guard let count = x.shape[axis] else { throw .openSizeForCoreML }
    return try combine(
      "sub", MILValue(type: MILType(data: .int32, shape: []), contents: .ints([count - 1])), index)
  }

  fileprivate mutating func top(_ node: MILNode, _ x: MILValue) throws(NetconvError) -> [MILValue] {
    let axis = x.axis(node.int("axis", -1))
    let count = try node.ints(1)[0]
    var shape = x.shape
    shape[axis] = count
    return try add(
      "topk",
      [
        ("x", .value(x)), ("k", .int(count)), ("axis", .int(axis)),
        ("ascending", .bool(node.int("largest", 1) == 0)),
      ],
      outputs: [MILType(data: .float32, shape: shape), MILType(data: .int32, shape: shape)])
  }
}

extension [Int?] {
  /// Returns the shape after a reduction along axes.
  func reduced(_ axes: [Int], keeps: Bool) -> [Int?] {
    indices.compactMap { axis -> Int?? in
      axes.contains(axis) ? keeps ? .some(1) : nil : .some(self[axis])
    }
  }
}
