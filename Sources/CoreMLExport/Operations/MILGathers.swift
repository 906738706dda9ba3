import ModelIR

/// Values at indices.
enum MILGathers: MILTranslation {
  static let operations = [
    "Gather": "`gather`", "GatherElements": "`gather_along_axis`",
    "GatherND": "`gather_nd` with one axis for samples, of iOS 16",
  ]

  static func write(
    _ node: MILNode, to program: inout MILBuilder
  ) throws(NetconvError) -> [MILValue] {
    let (x, indices) = (try node.input(0), try node.input(1))
    let axis = x.axis(node.int("axis", 0))
    switch node.type {
    case "Gather":
      return [
        try program.add(
          "gather", [("x", .value(x)), ("indices", .value(indices)), ("axis", .int(axis))],
          shape: x.shape.prefix(axis) + indices.shape + x.shape.dropFirst(axis + 1),
          data: x.type.data)
      ]
    case "GatherElements":
      return [
        try program.add(
          "gather_along_axis",
          [("x", .value(x)), ("indices", .value(indices)), ("axis", .int(axis))],
          shape: indices.shape)
      ]
    default:
      program.require(.iOS16)
      let batch = node.int("batch_dims", 0)
      guard let depth = indices.shape.last ?? nil else { throw .openSizeForCoreML }
      return [
        try program.add(
          "gather_nd",
          [("x", .value(x)), ("indices", .value(indices)), ("batch_dims", .int(batch))],
          shape: indices.shape.dropLast() + x.shape.dropFirst(batch + depth))
      ]
    }
  }
}
