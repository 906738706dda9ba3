import ModelIR
import Operators

/// Source: tf_keras/src/layers/preprocessing/image_preprocessing.py: during inference, the central part of the image
/// is resized.
enum KerasRandomCrop: KerasLayerMapping {
  static let classNames = ["RandomCrop"]
  static let operators: [any Operator.Type] = [Resizing.self]
  static let refused = ["Keras 3, which leaves images as they are"]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    guard layer.kerasVersion < 3 else { throw .randomCrop }
    return Resizing(size: try layer.heightAndWidth(), proportion: .crop)
  }
}

extension NetconvError {
  fileprivate static var randomCrop: NetconvError {
    NetconvError(
      .badData,
      "Keras 3 crops in training only, and then leaves images as they are, whatever shape the layer "
        + "states; put a CenterCrop or a Resizing in its place")
  }
}
