import ModelIR
import Operators

/// Source: keras/src/layers/normalization/batch_normalization.py.
enum KerasBatchNormalization: KerasLayerMapping {
  /// The class of TensorFlow 1.
  static let firstVersion = "BatchNormalizationV1"
  static let classNames = ["BatchNormalization", firstVersion, "SyncBatchNormalization"]
  static var axisSetting: (key: String, default: Int)? { ("axis", -1) }
  static let operators: [any Operator.Type] = [BatchNormalization.self]
  static let refused = ["several axes"]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .passes }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    // Keras 1 only: other modes normalise by the statistics of an image or of a batch.
    guard try layer.int("mode", default: 0) == 0 else {
      throw .wrongSetting("mode", layer.settings["mode"] ?? .null, expected: "0")
    }
    return BatchNormalization(
      epsilon: try layer.double("epsilon", default: 0.001),
      axis: try layer.axis("axis", default: -1))
  }

  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] {
    try KerasWeight.scaleAndCenter(of: layer)
      + [
        KerasWeight(name: "moving_mean", role: .mean),
        KerasWeight(name: "moving_variance", role: .variance),
      ]
  }
}
