import Documents
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

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    guard layer.operands == [.tensor] else { throw .unsupportedOperands(layer.operands) }
    let expected = "height and width, [1, 2], or [2, 3] where the channels come first"
    _ = try layer.setting("axis", default: nil, expected: expected) { value in
      axes(value) == [1, 2] ? true : nil
    }
    if let initial = layer.value(of: "initial"), initial != .null {
      throw .wrongSetting("initial", initial, expected: "null")
    }
    let keepDimensions = try layer.bool("keepdims", default: false)
    return layer.className.lowercased().hasSuffix("mean")
      ? GlobalAveragePooling2D(keepDimensions: keepDimensions)
      : GlobalMaxPooling2D(keepDimensions: keepDimensions)
  }

  /// Returns true if a layer reduces the last two axes of an image, so that the channels are first.
  static func isOverLastAxes(_ layer: KerasLayerConfig) -> Bool {
    classNames.contains(layer.className) && layer.value(of: "axis").map(axes) == [2, 3]
  }

  /// Returns the same reduction for the channels-last image.
  static func overFirstAxes(_ layer: KerasLayerConfig) -> KerasLayerConfig {
    layer.replacing("axis", with: .array([.number(1), .number(2)]))
  }

  /// Returns the axes in ascending order, including the batch; an image has rank 4.
  private static func axes(_ value: JSONValue) -> [Int] {
    (value.array ?? []).compactMap(\.int).map { $0 < 0 ? $0 + 4 : $0 }.sorted()
  }
}
