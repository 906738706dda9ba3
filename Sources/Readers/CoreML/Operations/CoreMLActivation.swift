import ModelIR

/// Activation functions.
///
/// Source: coremltools, converters/mil/mil/ops/defs/iOS15/activation.py.
enum CoreMLActivation: CoreMLOperationKind {
  private static let plain = [
    "relu": "Relu", "sigmoid": "Sigmoid", "softplus": "Softplus", "softsign": "Softsign",
    "tanh": "Tanh",
  ]
  /// Functions with a slope, and what it is by default; it is always stated.
  private static let sloped = [
    "elu": "Elu", "leaky_relu": "LeakyRelu", "thresholded_relu": "ThresholdedRelu",
  ]

  static let names: [String] =
    [
      "clamped_relu", "gelu", "linear_activation", "prelu", "relu6", "scaled_tanh",
      "sigmoid_hard", "silu", "softmax", "softplus_parametric",
    ] + plain.keys + sloped.keys

  static func write(
    _ operation: MappedCoreMLOperation, to nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    switch operation.type {
    case "clamped_relu": try clamped(operation, &nodes)
    case "gelu": try gelu(operation, &nodes)
    case "linear_activation": try linear(operation, &nodes)
    case "prelu": try parametric(operation, &nodes)
    case "relu6": try relu6(operation, &nodes)
    case "scaled_tanh": try scaledTanh(operation, &nodes)
    case "sigmoid_hard": try hardSigmoid(operation, &nodes)
    case "silu": try silu(operation, &nodes)
    case "softmax": try softmax(operation, &nodes)
    case "softplus_parametric": try parametricSoftplus(operation, &nodes)
    default:
      if let type = plain[operation.type] {
        nodes.node(type, [try operation.input("x")], to: [operation.output])
      } else if let type = sloped[operation.type] {
        let alpha = ONNXAttribute.number(Float(try operation.number("alpha", 1)))
        nodes.node(
          type, [try operation.input("x")], ["alpha": alpha], to: [operation.output])
      }
    }
  }

  private static func relu6(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    nodes.node(
      "Clip", [try operation.input("x"), nodes.float(0), nodes.float(6)], to: [operation.output])
  }

  private static func silu(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let x = try operation.input("x")
    nodes.node("Mul", [x, nodes.node("Sigmoid", [x])], to: [operation.output])
  }

  private static func gelu(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let x = try operation.input("x")
    switch try operation.text("mode", "EXACT") {
    case "EXACT": nodes.node("Gelu", [x], to: [operation.output])
    case "TANH_APPROXIMATION":
      nodes.node("Gelu", [x], ["approximate": .text("tanh")], to: [operation.output])
    case "SIGMOID_APPROXIMATION":
      let gate = nodes.node("Sigmoid", [nodes.node("Mul", [x, nodes.float(1.702)])])
      nodes.node("Mul", [x, gate], to: [operation.output])
    case let other:
      throw .unknownSetting(
        "mode", other, known: ["EXACT", "SIGMOID_APPROXIMATION", "TANH_APPROXIMATION"])
    }
  }

  private static func clamped(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let sloped = nodes.node(
      "LeakyRelu", [try operation.input("x")],
      ["alpha": .number(Float(try operation.number("alpha", 0)))])
    nodes.node(
      "Min", [sloped, nodes.float(try operation.number("beta", 0))], to: [operation.output])
  }

  private static func linear(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let scaled = nodes.node(
      "Mul", [try operation.input("x"), nodes.float(try operation.number("alpha", 1))])
    nodes.node(
      "Add", [scaled, nodes.float(try operation.number("beta", 0))], to: [operation.output])
  }

  private static func hardSigmoid(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    nodes.node(
      "HardSigmoid", [try operation.input("x")],
      [
        "alpha": .number(Float(try operation.number("alpha", 0.2))),
        "beta": .number(Float(try operation.number("beta", 0.5))),
      ], to: [operation.output])
  }

  private static func scaledTanh(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let scaled = nodes.node(
      "Mul", [try operation.input("x"), nodes.float(try operation.number("beta", 1))])
    let tanh = nodes.node("Tanh", [scaled])
    nodes.node(
      "Mul", [tanh, nodes.float(try operation.number("alpha", 1))], to: [operation.output])
  }

  private static func softmax(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    nodes.node(
      "Softmax", [try operation.input("x")], ["axis": .integer(try operation.int("axis", -1))],
      to: [operation.output])
  }

  /// Returns a vector with one value for each channel, with axes of size 1 after them.
  private static func channels(
    _ parameter: String, _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) -> String {
    let x = try operation.input("x")
    guard let rank = nodes.shape(of: x)?.count,
      let count = try operation.value(parameter)?.shape.first
    else { throw .missingAttribute(parameter) }
    let shape = [count] + [Int](repeating: 1, count: max(0, rank - 2))
    return nodes.node("Reshape", [try operation.input(parameter), nodes.ints(shape)])
  }

  private static func parametric(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let slopes = try channels("alpha", operation, &nodes)
    nodes.node("PRelu", [try operation.input("x"), slopes], to: [operation.output])
  }

  /// Computes alpha softplus(beta x).
  private static func parametricSoftplus(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let inner = nodes.node(
      "Mul", [try operation.input("x"), try channels("beta", operation, &nodes)])
    let soft = nodes.node("Softplus", [inner])
    nodes.node("Mul", [soft, try channels("alpha", operation, &nodes)], to: [operation.output])
  }
}
