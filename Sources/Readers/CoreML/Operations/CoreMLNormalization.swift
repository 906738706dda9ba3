import ModelIR

/// Normalisations.
///
/// Source: coremltools, converters/mil/mil/ops/defs/iOS15/normalization.py.
enum CoreMLNormalization: CoreMLOperationKind {
  static let names = ["batch_norm", "instance_norm", "layer_norm", "local_response_norm"]

  static func write(
    _ operation: MappedCoreMLOperation, to nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    switch operation.type {
    case "batch_norm": try batch(operation, &nodes)
    case "instance_norm": try instance(operation, &nodes)
    case "layer_norm": try layer(operation, &nodes)
    case "local_response_norm": try localResponse(operation, &nodes)
    default: throw .unknownOperation(operation.type, reading: [])
    }
  }

  /// Returns the names of gamma and beta, with ones and zeros where they are omitted.
  private static func affine(
    _ operation: MappedCoreMLOperation, _ shape: [Int], _ nodes: inout CoreMLNodes
  ) throws(NetconvError) -> [String] {
    let count = try product(shape)
    let fill = { (parameter: String, value: Double, nodes: inout CoreMLNodes) in
      operation.optional(parameter)
        ?? nodes.floats([Double](repeating: value, count: count), shape)
    }
    return [fill("gamma", 1, &nodes), fill("beta", 0, &nodes)]
  }

  private static func epsilon(
    _ operation: MappedCoreMLOperation
  ) throws(NetconvError) -> ONNXAttribute {
    .number(Float(try operation.number("epsilon", 1e-5)))
  }

  private static func batch(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let mean = try operation.input("mean")
    guard let shape = nodes.shape(of: mean)?.map({ $0 ?? 0 }) else {
      throw .missingAttribute("mean")
    }
    nodes.node(
      "BatchNormalization",
      [try operation.input("x")] + (try affine(operation, shape, &nodes))
        + [mean, try operation.input("variance")], ["epsilon": try epsilon(operation)],
      to: [operation.output])
  }

  private static func instance(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let x = try operation.input("x")
    guard let shape = nodes.shape(of: x), shape.count > 2, let channels = shape[1] else {
      throw .unreadUse("an instance_norm of channels whose number is open")
    }
    nodes.node(
      "InstanceNormalization", [x] + (try affine(operation, [channels], &nodes)),
      ["epsilon": try epsilon(operation)], to: [operation.output])
  }

  private static func layer(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let x = try operation.input("x")
    guard let shape = nodes.shape(of: x) else { throw .missingAttribute("x") }
    let axes = (try operation.ints("axes") ?? Array(shape.indices))
      .map { $0 < 0 ? $0 + shape.count : $0 }.sorted()
    guard let first = axes.first, axes == Array(first..<shape.count) else {
      throw .unreadUse("a layer_norm along the axes \(axes), of which the last is not one")
    }
    let sizes = shape[first...].compactMap(\.self)
    guard sizes.count == axes.count else { throw .unreadUse("a layer_norm of an open size") }
    nodes.node(
      "LayerNormalization", [x] + (try affine(operation, sizes, &nodes)),
      ["axis": .integer(first), "epsilon": try epsilon(operation)], to: [operation.output])
  }

  private static func localResponse(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    nodes.node(
      "LRN", [try operation.input("x")],
      [
        "size": .integer(try operation.int("size", 1)),
        "alpha": .number(Float(try operation.number("alpha", 1e-4))),
        "beta": .number(Float(try operation.number("beta", 0.75))),
        "bias": .number(Float(try operation.number("k", 1))),
      ], to: [operation.output])
  }
}
