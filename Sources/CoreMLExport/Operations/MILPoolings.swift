import ModelIR

/// Poolings over windows.
enum MILPoolings: MILTranslation {
  static let operations = [
    "MaxPool": "`max_pool`", "AveragePool": "`avg_pool` without padding",
  ]

  static func write(
    _ node: MILNode, to program: inout MILBuilder
  ) throws(NetconvError) -> [MILValue] {
    let x = try node.input(0)
    let window = try MILWindow(node, size: node.ints("kernel_shape") ?? [])
    let isAverage = node.type == "AveragePool"
    var operands: [(String, MILOperand?)] =
      [
        ("x", .value(x)), ("kernel_sizes", .ints(window.sizes)), ("ceil_mode", .bool(false)),
      ] + window.operands
    if isAverage { operands.append(("exclude_padding_from_average", .bool(true))) }
    return [
      try program.add(
        isAverage ? "avg_pool" : "max_pool", operands,
        shape: Array(x.shape.prefix(2)) + window.counts(of: x.shape.dropFirst(2)))
    ]
  }
}
