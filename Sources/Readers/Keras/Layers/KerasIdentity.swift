import ModelIR
import Operators

/// Layers that do something during training only.
///
/// Source: keras/src/layers/regularization.
enum KerasIdentity: KerasLayerMapping {
  static let classNames = [
    "Dropout", "SpatialDropout2D", "GaussianDropout", "GaussianNoise", "AlphaDropout",
    "ActivityRegularization", "Identity",
  ]

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    Identity()
  }
}
