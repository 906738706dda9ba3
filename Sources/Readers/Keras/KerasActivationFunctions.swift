import Documents
import ModelIR
import Operators

extension KerasLayerConfig {
  /// The function that the setting `activation` names; linear if it is missing.
  ///
  /// Keras writes a name, or, for layers used as activations, a whole configuration.
  /// - Throws: `badData` if netconv does not know it.
  func activation() throws(NetconvError) -> ActivationFunction {
    let function = try statedActivation()
    // Layers with a data format and an activation work on images and sequences.
    return hasMovedChannels ? function.movingFirstAxisLast(rank: isOfSequences ? 2 : 3) : function
  }

  /// The function that another setting names.
  ///
  /// - Parameter fallback: Keras's default.
  /// - Throws: `badData` if netconv does not know it.
  func activation(
    of key: String, default fallback: ActivationFunction
  ) throws(NetconvError) -> ActivationFunction {
    guard let value = value(of: key) else { return fallback }
    // What is null is no function.
    return value == .null ? .linear : try statedActivation(value, of: key)
  }

  private func statedActivation() throws(NetconvError) -> ActivationFunction {
    guard let value = settings["activation"] else { return .linear }
    return try statedActivation(value, of: "activation")
  }

  private func statedActivation(
    _ value: JSONValue, of key: String
  ) throws(NetconvError) -> ActivationFunction {
    // Keras 2 writes an object for functions that are not its own, such as TensorFlow's.
    let isFunction = value["class_name"] == .string("function")
    let name = value.string ?? (isFunction ? value["config"]?.string : nil)
    if let name, let function = function(named: name) { return function }
    switch name {
    case "glu": throw .halvingActivation
    case "sparsemax": throw .wrongSparsemax
    case "threshold": throw .thresholdWithoutNumbers
    default: break
    }
    if value["class_name"] != nil, value["config"] != nil,
      let layer = try? nested(value),
      let function = try KerasLayers.activation(of: layer)
    {
      return function
    }
    let known = (Array(Self.functions.keys) + ["hard_sigmoid"]).sorted().joined(separator: ", ")
    throw .wrongSetting(key, value, expected: "one of " + known)
  }

  /// The functions by Keras's names, which are those of documents with other capitals, and some more.
  ///
  /// Source: Keras, `keras.activations`; the slope of leaky_relu is that of the function, 0.2.
  private static let functions: [String: ActivationFunction] = {
    var functions: [String: ActivationFunction] = [
      "leaky_relu": .leakyReLU(negativeSlope: 0.2), "swish": .silu, "hard_swish": .hardSilu,
    ]
    for (name, function) in ActivationFunction.plain {
      let name = name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
      if functions[name] == nil { functions[name] = function }
    }
    // Its slope depends on the version.
    functions["hard_sigmoid"] = nil
    return functions
  }()

  /// The function called `name` by the version of Keras that wrote the model.
  func function(named name: String) -> ActivationFunction? {
    // relu6(x + 3) / 6 since Keras 3.
    name == "hard_sigmoid"
      ? .hardSigmoid(slope: kerasVersion < 3 ? 0.2 : 1 / 6) : Self.functions[name]
  }

  /// A configuration in this one, with a name, which it may lack.
  private func nested(_ value: JSONValue) throws(NetconvError) -> KerasLayerConfig {
    guard case .object(var members) = value else {
      return try KerasLayerConfig(value, place: "activation")
    }
    members["name"] = .string(name)
    var layer = try KerasLayerConfig(.object(members), place: "activation")
    layer.kerasVersion = kerasVersion
    return layer
  }
}

extension ActivationFunction {
  /// The same function of an array whose first axis has become the last.
  fileprivate func movingFirstAxisLast(rank: Int) -> ActivationFunction {
    along { list in
      AxisList(
        list.axes.map { axis in
          let index = axis < 0 ? axis + rank : axis
          return index == 0 ? rank - 1 : index - 1
        })
    }
  }
}

extension KerasLayers {
  /// The function of a layer that only applies one.
  fileprivate static func activation(
    of layer: KerasLayerConfig
  ) throws(NetconvError) -> ActivationFunction? {
    guard let mapping = mapping(of: layer.className) else { return nil }
    return try mapping.operation(of: layer).onlyActivation
  }
}
