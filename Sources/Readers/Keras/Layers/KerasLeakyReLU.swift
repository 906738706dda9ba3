import ModelIR
import Operators

/// Source: keras/src/layers/activations/leaky_relu.py; Keras 2 names the slope `alpha`.
enum KerasLeakyReLU: KerasLayerMapping {
  static let classNames = ["LeakyReLU"]
  static let operators: [any Operator.Type] = [Activation.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .passes }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    let slope = try layer.double("alpha", default: 0.3)
    return Activation(.leakyReLU(negativeSlope: try layer.double("negative_slope", default: slope)))
  }
}
