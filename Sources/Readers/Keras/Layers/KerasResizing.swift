import ModelIR
import Operators

/// Source: keras/src/layers/preprocessing/image_preprocessing/resizing.py.
enum KerasResizing: KerasLayerMapping {
  static let classNames = ["Resizing"]
  static let operators: [any Operator.Type] = [Resizing.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    _ = try layer.setting("fill_mode", default: true, expected: "\"constant\"") {
      $0.string == "constant" ? true : nil
    }
    let pad = try layer.bool("pad_to_aspect_ratio", default: false)
    let crop = try layer.bool("crop_to_aspect_ratio", default: false)
    return Resizing(
      size: try layer.heightAndWidth(),
      interpolation: try layer.interpolation(default: .bilinear),
      antialias: try layer.bool("antialias", default: false),
      proportion: pad ? .pad : crop ? .crop : .stretch,
      fill: try layer.double("fill_value", default: 0))
  }
}
