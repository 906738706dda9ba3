import Documents
import ModelIR
import Operators

/// A wrapper that divides the kernel of the layer in it by its largest singular value, in training only: the kernel
/// that is saved is the one that the layer computes with.
///
/// Its layer is read in its place, under its name; this mapping is for layers that cannot be.
///
/// Source: keras/src/layers/normalization/spectral_normalization.py; TensorFlow Addons,
/// tensorflow_addons/layers/spectral_normalization.py.
enum KerasSpectralNormalization: KerasLayerMapping {
  static let classNames = ["SpectralNormalization", "Addons>SpectralNormalization"]
  static let operators: [any Operator.Type] = [
    Convolution2D.self, DepthwiseConvolution2D.self, TransposedConvolution2D.self, Dense.self,
  ]
  static let refused = ["layers in it that are not read themselves"]

  /// What the wrapper needs to train, and nothing else uses.
  static let state = KerasWeight(name: "vector_u", otherNames: ["sn_u"], role: nil)

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    let inner = layer.settings["layer"]
    throw .unsupportedWrapped(
      inner?.kerasClass, layer.settings["layer"]?["config"]?["name"]?.string)
  }

  /// The layer in a wrapper.
  ///
  /// - Returns: `nil` if `value` is none, or has a layer in it that is not read.
  static func wrapped(
    in value: JSONValue
  ) -> (className: String, name: String, settings: JSONValue)? {
    guard let className = value.kerasClass, classNames.contains(className),
      case .object(let own)? = value["config"], let layer = own["layer"],
      let innerClass = layer.kerasClass, !classNames.contains(innerClass),
      KerasLayers.mapping(of: innerClass) != nil,
      let name = layer["config"]?["name"]?.string, case .object(let inner)? = layer["config"]
    else { return nil }
    // The first layer of a Sequential model states the shape of the input, which the wrapper does.
    return (innerClass, name, .object(inner.merging(own) { inner, _ in inner }))
  }
}
