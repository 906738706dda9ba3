import ModelIR
import Operators

/// Source: keras/src/layers/merging/dot.py; one axis for both inputs, or one for each.
enum KerasDot: KerasLayerMapping {
  static let classNames = ["Dot"]
  static let operators: [any Operator.Type] = [Dot.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    let axes = try layer.axes("axes", default: nil).axes
    guard axes.count <= 2 else {
      throw .wrongSetting(
        "axes", layer.value(of: "axes") ?? .null, expected: "one axis, or one for each input")
    }
    return Dot(
      axes: [axes[0], axes[axes.count - 1]],
      smallestNorm: try layer.bool("normalize", default: false)
        ? layer.kerasVersion < 3 ? 1e-6 : 1e-7 : nil)
  }
}
