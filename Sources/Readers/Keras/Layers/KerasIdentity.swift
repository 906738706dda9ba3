import ModelIR
import Operators

/// Layers with an effect in training only.
///
/// Source: keras/src/layers/regularization, keras/src/layers/preprocessing/image_preprocessing, and
/// keras/src/applications/convnext.py for StochasticDepth. Augmentations that are also active during inference, such
/// as AutoContrast, are not included.
enum KerasIdentity: KerasLayerMapping {
  static let classNames = [
    "Dropout", "SpatialDropout1D", "SpatialDropout2D", "SpatialDropout3D", "GaussianDropout",
    "GaussianNoise", "AlphaDropout", "ActivityRegularization", "Identity", "StochasticDepth",
    "Custom>StochasticDepth", "RandomFlip", "RandomTranslation", "RandomRotation", "RandomZoom",
    "RandomContrast", "RandomBrightness", "RandomHeight", "RandomWidth",
    "RandomColorDegeneration", "RandomColorJitter", "RandomElasticTransform", "RandomErasing",
    "RandomGaussianBlur", "RandomGrayscale", "RandomHue", "RandomInvert", "RandomPerspective",
    "RandomPosterization", "RandomSaturation", "RandomSharpness", "RandomShear", "AugMix",
    "CutMix", "MixUp", "RandAugment", "Solarization",
  ]
  static let operators: [any Operator.Type] = [Identity.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule {
    // Image augmentations propagate no mask; Keras 2 has other classes for its identity.
    layer.className.hasPrefix("Random") ? .drops : .passes
  }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    Identity()
  }
}
