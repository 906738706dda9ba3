import ModelIR

/// Normalisations with statistics, or with those of each sample.
enum MILNormalizations: MILTranslation {
  static let operations = [
    "BatchNormalization": "`batch_norm`", "InstanceNormalization": "`instance_norm`",
    "LayerNormalization": "`layer_norm`",
  ]

  static func write(
    _ node: MILNode, to program: inout MILBuilder
  ) throws(NetconvError) -> [MILValue] {
    let x = try node.input(0)
    let epsilon = ("epsilon", Optional(MILOperand.float(node.float("epsilon", 1e-5))))
    let vectors = node.inputs.dropFirst().compactMap(\.self)
    guard vectors.allSatisfy(\.isKnown) else { throw .openParameterForCoreML(node.type) }
    let affine: [(String, MILOperand?)] = [
      ("gamma", vectors.first.map { .value($0) }),
      ("beta", vectors.count > 1 ? .value(vectors[1]) : nil), epsilon,
    ]
    switch node.type {
    case "LayerNormalization":
      let first = x.axis(node.int("axis", -1))
      return [
        try program.map("layer_norm", x, affine + [("axes", .ints(Array(first..<x.rank)))])
      ]
    case "InstanceNormalization":
      guard (3...4).contains(x.rank) else { throw .openParameterForCoreML(node.type) }
      return [try program.map("instance_norm", x, affine)]
    default:
      let statistics: [(String, MILOperand?)] = [
        ("mean", .value(try node.input(3))), ("variance", .value(try node.input(4))),
      ]
      // The operation is defined for channels with other axes after them.
      guard x.rank < 3 else { return [try program.map("batch_norm", x, affine + statistics)] }
      let column = try program.expand(x, [2])
      return [
        try program.squeeze(program.map("batch_norm", column, affine + statistics), [2])
      ]
    }
  }
}
