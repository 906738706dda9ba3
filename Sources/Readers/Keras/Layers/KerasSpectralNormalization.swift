import Documents
import ModelIR
import Operators

/// A wrapper that divides the kernel of its layer by its largest singular value, in training only.
///
/// The saved kernel is the one that the layer uses. The wrapped layer is read in the wrapper's place and under its
/// name; this mapping is for wrapped layers that are not supported.
///
/// Source: keras/src/layers/normalization/spectral_normalization.py; TensorFlow Addons,
/// tensorflow_addons/layers/spectral_normalization.py.
enum KerasSpectralNormalization: KerasLayerMapping {
  static let classNames = ["SpectralNormalization", "Addons>SpectralNormalization"]
  static let operators: [any Operator.Type] = [
    Convolution2D.self, DepthwiseConvolution2D.self, TransposedConvolution2D.self, Dense.self,
  ]
  static let refused = ["layers in it that are not read themselves"]

  /// The training state of the wrapper.
  static let state = KerasWeight(name: "vector_u", otherNames: ["sn_u"], role: nil)

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    let inner = layer.settings["layer"]
    throw .unsupportedWrapped(
      inner?.kerasClass, layer.settings["layer"]?["config"]?["name"]?.string)
  }

  /// Returns the wrapped layer.
  ///
  /// - Returns: `nil` if `value` is not such a wrapper, or wraps an unsupported layer.
  static func wrapped(
    in value: JSONValue
  ) -> (className: String, name: String, settings: JSONValue)? {
    guard let className = value.kerasClass, classNames.contains(className),
      case .object(let own)? = value["config"], let layer = own["layer"],
      let innerClass = layer.kerasClass, !classNames.contains(innerClass),
      KerasLayers.mapping(of: innerClass) != nil,
      let name = layer["config"]?["name"]?.string, case .object(let inner)? = layer["config"]
    else { return nil }
    // The first layer of a Sequential model states the input shape, here in the wrapper.
    return (innerClass, name, .object(inner.merging(own) { inner, _ in inner }))
  }
}

extension NetconvError {
  fileprivate static func unsupportedWrapped(_ className: String?, _ name: String?) -> NetconvError
  {
    NetconvError(
      .badData,
      className.map {
        "it wraps \(name.map { quoted($0) + " " } ?? "")(\(escaped($0))), which is not supported itself"
      } ?? "it wraps no layer")
  }
}
