import Documents
import ModelIR
import Operators

extension KerasLayerConfig {
  /// Returns the function of the setting `activation`; linear if the setting is missing.
  ///
  /// Keras stores a name, or a complete configuration for a layer that serves as an activation.
  /// - Throws: `badData` if the function is not supported.
  func activation() throws(NetconvError) -> ActivationFunction {
    let function = try statedActivation()
    // Layers with a data format and an activation operate on spatial axes.
    return hasMovedChannels
      ? function.movingFirstAxisLast(rank: spatialAxes.axes.count + 1) : function
  }

  /// Returns the function of another setting.
  ///
  /// - Parameter fallback: Keras's default.
  /// - Throws: `badData` if the function is not supported.
  func activation(
    of key: String, default fallback: ActivationFunction
  ) throws(NetconvError) -> ActivationFunction {
    guard let value = value(of: key) else { return fallback }
    // A null value means no function.
    return value == .null ? .linear : try statedActivation(value, of: key)
  }

  private func statedActivation() throws(NetconvError) -> ActivationFunction {
    guard let value = settings["activation"] else { return .linear }
    return try statedActivation(value, of: "activation")
  }

  private func statedActivation(
    _ value: JSONValue, of key: String
  ) throws(NetconvError) -> ActivationFunction {
    // Keras 2 stores an object for functions that are not its own, such as TensorFlow's.
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

  /// The functions by their Keras names, which are the document names in snake case, plus some aliases.
  ///
  /// Source: Keras, `keras.activations`; the default slope of leaky_relu as a function is 0.2.
  private static let functions: [String: ActivationFunction] = {
    var functions: [String: ActivationFunction] = [
      "leaky_relu": .leakyReLU(negativeSlope: 0.2), "swish": .silu, "hard_swish": .hardSilu,
    ]
    for (name, function) in ActivationFunction.plain {
      let name = name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
      if functions[name] == nil { functions[name] = function }
    }
    // The slope of hard_sigmoid depends on the version.
    functions["hard_sigmoid"] = nil
    return functions
  }()

  /// Returns the function with this name in the Keras version that wrote the model.
  func function(named name: String) -> ActivationFunction? {
    // Keras 3 defines it as relu6(x + 3) / 6.
    name == "hard_sigmoid"
      ? .hardSigmoid(slope: kerasVersion < 3 ? 0.2 : 1 / 6) : Self.functions[name]
  }

  /// Parses a nested configuration, which may lack a name.
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
  /// Returns the same function for an array whose first axis has been moved to the end.
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
  /// Returns the function of a layer that only applies an activation.
  fileprivate static func activation(
    of layer: KerasLayerConfig
  ) throws(NetconvError) -> ActivationFunction? {
    guard let mapping = mapping(of: layer.className) else { return nil }
    return try mapping.operation(of: layer).onlyActivation
  }
}

extension NetconvError {
  fileprivate static var halvingActivation: NetconvError {
    NetconvError(
      .badData,
      "activation is \"glu\", which halves the channels that the layer states; put it into an "
        + "Activation layer of its own")
  }

  fileprivate static var wrongSparsemax: NetconvError {
    NetconvError(
      .badData,
      "activation is \"sparsemax\", which Keras computes differently with each backend; "
        + "with TensorFlow most of its results are 0")
  }

  fileprivate static var thresholdWithoutNumbers: NetconvError {
    NetconvError(
      .badData,
      "activation is \"threshold\", but Keras does not save its threshold and value; use a "
        + "ThresholdedReLU or a ReLU layer")
  }
}
