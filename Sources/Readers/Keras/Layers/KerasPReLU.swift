import ModelIR
import Operators

/// Source: keras/src/layers/activations/prelu.py; shared axes count the batch.
enum KerasPReLU: KerasLayerMapping {
  static let classNames = ["PReLU"]

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    guard let value = layer.settings["shared_axes"] else { return PReLU() }
    let axes = (value.array ?? [value]).map { $0.int ?? 0 }
    guard axes.allSatisfy({ $0 > 0 }) else {
      throw .wrongSetting("shared_axes", value, expected: "axes that are not the batch")
    }
    return PReLU(sharedAxes: axes.map { $0 - 1 })
  }

  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] {
    [KerasWeight(name: "alpha", role: .alpha)]
  }
}
