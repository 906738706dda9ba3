import ModelIR

/// Shapes, orders of axes, and values at indices.
///
/// Source: coremltools, converters/mil/mil/ops/defs/iOS15/tensor_transformation.py, tensor_operation.py and
/// scatter_gather.py.
enum CoreMLShape: CoreMLOperationKind {
  private static let plain = [
    "expand_dims": CoreMLPlainForm("Unsqueeze", "x", "axes"),
    "reshape": CoreMLPlainForm("Reshape", "x", "shape"),
    "shape": CoreMLPlainForm("Shape", "x"),
    "tile": CoreMLPlainForm("Tile", "x", "reps"),
  ]

  static let names =
    [
      "classify", "concat", "depth_to_space", "fill", "flatten2d", "gather", "gather_along_axis",
      "gather_nd", "pixel_shuffle", "reverse", "space_to_depth", "squeeze", "stack", "transpose",
    ] + plain.keys

  static func write(
    _ operation: MappedCoreMLOperation, to nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    switch operation.type {
    case "classify": try classify(operation, &nodes)
    case "concat": try concatenate(operation, &nodes)
    case "depth_to_space", "pixel_shuffle", "space_to_depth": try blocks(operation, &nodes)
    case "fill": try fill(operation, &nodes)
    case "flatten2d": try flatten(operation, &nodes)
    case "gather", "gather_along_axis", "gather_nd": try gather(operation, &nodes)
    case "reverse": try reverse(operation, &nodes)
    case "squeeze": try squeeze(operation, &nodes)
    case "stack": try stack(operation, &nodes)
    case "transpose": try transpose(operation, &nodes)
    default: try plain[operation.type]?.write(operation, to: &nodes)
    }
  }

  private static func transpose(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let order = try operation.ints("perm") ?? []
    nodes.node(
      "Transpose", [try operation.input("x")],
      ["perm": .integers(order.map { $0 < 0 ? $0 + order.count : $0 })], to: [operation.output])
  }

  private static func squeeze(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    nodes.node(
      "Squeeze", [try operation.input("x")] + operation.list("axes"), to: [operation.output])
  }

  private static func flatten(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    nodes.node(
      "Flatten", [try operation.input("x")], ["axis": .integer(try operation.int("axis", 1))],
      to: [operation.output])
  }

  private static func concatenate(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    guard try !operation.flag("interleave") else { throw .unreadUse("interleaved values") }
    nodes.node(
      "Concat", operation.list("values"), ["axis": .integer(try operation.int("axis", 0))],
      to: [operation.output])
  }

  private static func stack(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let axis = try operation.int("axis", 0)
    let parts = operation.list("values").map { nodes.node("Unsqueeze", [$0, nodes.ints([axis])]) }
    nodes.node("Concat", parts, ["axis": .integer(axis)], to: [operation.output])
  }

  private static func fill(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let number = try operation.number("value", 0)
    let type = try operation.value("value")?.type.element ?? .float32
    if number == 0 { nodes.setZero(operation.output) }
    let source = NumberSource(numbers: [number], elementType: type.storedType)
    nodes.node(
      "ConstantOfShape", [try operation.input("shape")],
      [
        "value": .tensor(
          ONNXTensor(name: "value", type: ONNXType(type), shape: [1], source: source))
      ],
      to: [operation.output])
  }

  private static func reverse(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let x = try operation.input("x")
    guard let axes = try operation.ints("axes") ?? nodes.shape(of: x).map({ Array($0.indices) })
    else { throw .missingAttribute("axes") }
    let list = { (value: Int, nodes: inout CoreMLNodes) in nodes.ints(axes.map { _ in value }) }
    nodes.node(
      "Slice",
      [x, list(-1, &nodes), list(-Int(Int32.max), &nodes), nodes.ints(axes), list(-1, &nodes)],
      to: [operation.output])
  }

  private static func gather(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let types = [
      "gather": "Gather", "gather_along_axis": "GatherElements", "gather_nd": "GatherND",
    ]
    let batch = try operation.int("batch_dims", 0)
    guard operation.type == "gather_nd" || batch == 0 else {
      throw .unreadUse("a gather for each sample")
    }
    nodes.node(
      types[operation.type] ?? "", [try operation.input("x"), try operation.input("indices")],
      operation.type == "gather_nd"
        ? ["batch_dims": .integer(batch)] : ["axis": .integer(try operation.int("axis", 0))],
      to: [operation.output])
  }

  private static func blocks(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let isShuffle = operation.type == "pixel_shuffle"
    let size = try operation.int(isShuffle ? "upscale_factor" : "block_size", 1)
    var attributes: [String: ONNXAttribute] = ["blocksize": .integer(size)]
    if isShuffle { attributes["mode"] = .text("CRD") }
    nodes.node(
      operation.type == "space_to_depth" ? "SpaceToDepth" : "DepthToSpace",
      [try operation.input("x")], attributes, to: [operation.output])
  }

  /// The label and the dictionary that a classifier returns are no arrays; its probabilities are another value.
  private static func classify(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    nodes.setProbabilities(try operation.input("probabilities"), of: operation.outputs)
  }
}
