import ModelIR
import Operators

extension TFJSLayer {
  /// What an activation is called as a setting; `nil` if it is none.
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

  /// The setting of an activation; what has no name there comes behind, as a layer.
  static func activation(_ function: ActivationFunction, _ layer: Layer) -> Setting {
    ("activation", .string(name(of: function, layer) ?? "linear"))
  }

  /// An activation by itself.
  ///
  /// - Throws: `badData` if TensorFlow.js has none.
  ///
  /// Source: tensorflow/tfjs, tfjs-layers/src/layers/advanced_activations.ts. `ELU` there takes no other slope than 1, and
  /// `Softmax` no other axis than the last.
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
