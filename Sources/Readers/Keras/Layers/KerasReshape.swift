import ModelIR
import Operators

/// Source: keras/src/layers/reshaping/reshape.py.
enum KerasReshape: KerasLayerMapping {
  static let classNames = ["Reshape"]

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    guard let value = layer.settings["target_shape"] else { throw .settingMissing("target_shape") }
    guard let sizes = value.array, case let shape = sizes.compactMap(\.int),
      shape.count == sizes.count
    else { throw .wrongSetting("target_shape", value, expected: "whole numbers") }
    return Reshape(shape: shape)
  }
}
