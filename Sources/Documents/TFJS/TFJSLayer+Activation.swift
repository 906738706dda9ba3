import ModelIR
import Operators

extension TFJSLayer {
  /// Returns the name of an activation as a setting; `nil` if there is none.
  ///
  /// Source: tensorflow/tfjs, tfjs-layers/src/activations.ts.
  static func name(of function: ActivationFunction, _ layer: Layer) -> String? {
    switch function {
    case .linear: "linear"
    case .relu(maxValue: nil, negativeSlope: 0, threshold: 0): "relu"
    case .relu(maxValue: 6, negativeSlope: 0, threshold: 0): "relu6"
    case .elu(alpha: 1): "elu"
    case .selu: "selu"
    case .sigmoid: "sigmoid"
    case .hardSigmoid(slope: 0.2): "hard_sigmoid"
    case .tanh: "tanh"
    case .softplus: "softplus"
    case .softsign: "softsign"
    case .silu: "swish"
    case .softmax(let axis) where layer.isLast(axis): "softmax"
    case .logSoftmax(let axis) where layer.isLast(axis): "log_softmax"
    default: nil
    }
  }

  /// Returns the setting of an activation; one without a name there becomes a separate layer.
  static func activation(_ function: ActivationFunction, _ layer: Layer) -> Setting {
    ("activation", .string(name(of: function, layer) ?? "linear"))
  }

  /// Creates a separate activation layer.
  ///
  /// - Throws: `badData` if TensorFlow.js has none.
  ///
  /// Source: tensorflow/tfjs, tfjs-layers/src/layers/advanced_activations.ts. `ELU` supports only a slope of 1 there,
  /// and `Softmax` only the last axis.
  init(activation function: ActivationFunction, _ layer: Layer) throws(NetconvError) {
    if let name = Self.name(of: function, layer) {
      self.init("Activation", [("activation", .string(name))])
      return
    }
    switch function {
    case .relu(let largest?, negativeSlope: 0, threshold: 0):
      self.init("ReLU", [("max_value", .number(largest))])
    case .relu(maxValue: nil, let slope, threshold: 0), .leakyReLU(let slope):
      self.init("LeakyReLU", [("alpha", .number(slope))])
    case .threshold(let threshold, value: 0):
      self.init("ThresholdedReLU", [("theta", .number(threshold))])
    default: throw .activationOfTFJS(function.text)
    }
  }
}
