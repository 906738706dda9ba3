import Documents
import ModelIR
import Operators

/// Activations that the framework recorded as layers because the model calls them as functions.
///
/// Source: keras/src/ops/nn.py; TensorFlow, tf.nn. Their defaults differ from those of the layers.
enum KerasFunctionActivation: KerasLayerMapping {
  /// The functions without arguments, by their Keras names.
  private static let names: [String: String] = [
    "ops.Relu": "relu", "ops.Relu6": "relu6", "ops.Sigmoid": "sigmoid", "ops.Tanh": "tanh",
    "ops.Silu": "silu", "ops.Softplus": "softplus", "ops.Softsign": "softsign",
    "ops.HardSigmoid": "hard_sigmoid", "ops.HardSilu": "hard_silu", "ops.HardTanh": "hard_tanh",
    "ops.Selu": "selu", "ops.LogSigmoid": "log_sigmoid", "ops.Exp": "exponential",
    "tf.nn.relu": "relu", "tf.nn.relu6": "relu6", "tf.nn.sigmoid": "sigmoid",
    "tf.math.sigmoid": "sigmoid", "tf.nn.tanh": "tanh", "tf.math.tanh": "tanh",
    "tf.nn.silu": "silu", "tf.nn.swish": "silu", "tf.nn.selu": "selu", "tf.nn.elu": "elu",
    "tf.math.softplus": "softplus", "tf.nn.softsign": "softsign", "tf.math.exp": "exponential",
  ]

  private static let withArguments = [
    "ops.Clip", "ops.Elu", "ops.Gelu", "ops.LeakyRelu", "ops.LogSoftmax", "ops.Softmax",
    "tf.nn.gelu", "tf.nn.leaky_relu", "tf.nn.softmax",
  ]

  static var classNames: [String] { names.keys.sorted() + withArguments }
  static let operators: [any Operator.Type] = [Activation.self]
  static let refused = ["Clip between other limits than 0 and a number, or -1 and 1"]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    guard layer.operands == [.tensor] else { throw .unsupportedOperands(layer.operands) }
    return Activation(try function(of: layer))
  }

  private static func function(
    of layer: KerasLayerConfig
  ) throws(NetconvError) -> ActivationFunction {
    switch layer.className {
    case "ops.Softmax", "tf.nn.softmax": .softmax(axis: try layer.axes("axis"))
    case "ops.LogSoftmax": .logSoftmax(axis: try layer.axes("axis"))
    case "ops.Elu": .elu(alpha: try layer.double("alpha", default: 1))
    case "ops.LeakyRelu":
      .leakyReLU(negativeSlope: try layer.double("negative_slope", default: 0.2))
    case "tf.nn.leaky_relu": .leakyReLU(negativeSlope: try layer.double("alpha", default: 0.2))
    case "ops.Gelu": .gelu(approximate: try layer.bool("approximate", default: true))
    case "tf.nn.gelu": .gelu(approximate: try layer.bool("approximate", default: false))
    case "ops.Clip":
      try clip(from: try layer.double("x_min"), to: try layer.double("x_max"))
    default:
      if let name = names[layer.className], let function = layer.function(named: name) {
        try unscaled(function, layer)
      } else {
        throw .unsupportedOperands(layer.operands)
      }
    }
  }

  /// Returns the function, provided that its argument is not scaled.
  private static func unscaled(
    _ function: ActivationFunction, _ layer: KerasLayerConfig
  ) throws(NetconvError) -> ActivationFunction {
    guard let beta = layer.value(of: "beta"), beta != .null, beta.double != 1 else {
      return function
    }
    throw .wrongSetting("beta", beta, expected: "1")
  }

  /// Clips values to `lowest...highest`; the supported ranges start at 0 or are -1 to 1.
  private static func clip(
    from lowest: Double, to highest: Double
  ) throws(NetconvError) -> ActivationFunction {
    switch (lowest, highest) {
    case (0, 0...): .relu(maxValue: highest, negativeSlope: 0, threshold: 0)
    case (-1, 1): .hardTanh
    default: throw .unsupportedClip(lowest, highest)
    }
  }
}

extension NetconvError {
  fileprivate static func unsupportedClip(_ lowest: Double, _ highest: Double) -> NetconvError {
    NetconvError(
      .badData,
      "it clips values to \(JSONValue.number(lowest)) to \(JSONValue.number(highest)), expected "
        + "from 0 on, or from -1 to 1")
  }
}
