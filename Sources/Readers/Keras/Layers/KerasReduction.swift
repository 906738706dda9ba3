import ModelIR
import Operators

/// Means and maxima over height and width that the framework recorded as layers.
///
/// Source: keras/src/ops/numpy.py; TensorFlow, tf.math.reduce_mean and reduce_max.
enum KerasReduction: KerasLayerMapping {
  static let classNames = ["ops.Mean", "ops.Max", "tf.math.reduce_mean", "tf.math.reduce_max"]
  static let operators: [any Operator.Type] = [
    GlobalAveragePooling2D.self, GlobalMaxPooling2D.self,
  ]
  static let refused = ["other axes than height and width"]

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    guard layer.operands == [.tensor] else { throw .unsupportedOperands(layer.operands) }
    let expected = "height and width, [1, 2]"
    _ = try layer.setting("axis", default: nil, expected: expected) { value in
      // Counted with the batch; an image has four axes.
      let axes = (value.array ?? []).compactMap(\.int).map { $0 < 0 ? $0 + 4 : $0 }
      return axes.sorted() == [1, 2] ? true : nil
    }
    let keepDimensions = try layer.bool("keepdims", default: false)
    return layer.className.lowercased().hasSuffix("mean")
      ? GlobalAveragePooling2D(keepDimensions: keepDimensions)
      : GlobalMaxPooling2D(keepDimensions: keepDimensions)
  }
}
