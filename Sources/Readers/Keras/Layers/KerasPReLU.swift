import ModelIR
import Operators

/// Source: keras/src/layers/activations/prelu.py; shared axes include the batch.
enum KerasPReLU: KerasLayerMapping {
  static let classNames = ["PReLU"]
  static let operators: [any Operator.Type] = [PReLU.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .passes }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    let axes = try layer.optionalSetting(
      "shared_axes", expected: "axes that are not the batch"
    ) { value -> [Int]? in
      let axes = (value.array ?? [value]).map { $0.int ?? 0 }
      return axes.allSatisfy { $0 > 0 } ? axes.map { $0 - 1 } : nil
    }
    return PReLU(sharedAxes: axes ?? [])
  }

  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] {
    [KerasWeight(name: "alpha", role: .alpha)]
  }
}
