import Documents
import ModelIR
import Operators

extension KerasLayerConfig {
  /// The function that the setting `activation` names; linear if it is missing.
  ///
  /// Keras writes a name, or, for layers used as activations, a whole configuration.
  /// - Throws: `badData` if netconv does not know it.
  func activation() throws(NetconvError) -> ActivationFunction {
    guard let value = settings["activation"] else { return .linear }
    if let name = value.string, let function = Self.functions[name] { return function }
    if value["class_name"] != nil, value["config"] != nil,
      let layer = try? KerasLayerConfig(named(value), place: "activation"),
      let function = try KerasLayers.activation(of: layer)
    {
      return function
    }
    let known = Self.functions.keys.sorted().joined(separator: ", ")
    throw .wrongSetting("activation", value, expected: "one of " + known)
  }

  /// Source: Keras, `keras.activations`; the slope of leaky_relu is that of the function, 0.2.
  private static let functions: [String: ActivationFunction] = [
    "linear": .linear, "relu": .relu, "relu6": .relu6, "sigmoid": .sigmoid, "tanh": .tanh,
    "softmax": .softmax(axis: -1), "elu": .elu(alpha: 1),
    "leaky_relu": .leakyReLU(negativeSlope: 0.2),
  ]

  /// The same configuration with a name, which nested ones may lack.
  private func named(_ value: JSONValue) -> JSONValue {
    guard case .object(var members) = value else { return value }
    members["name"] = .string(name)
    return .object(members)
  }
}

extension KerasLayers {
  /// The function of a layer that only applies one.
  fileprivate static func activation(
    of layer: KerasLayerConfig
  ) throws(NetconvError) -> ActivationFunction? {
    guard let mapping = mapping(of: layer.className) else { return nil }
    return (try mapping.operation(of: layer) as? Activation)?.function
  }
}
