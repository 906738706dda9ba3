import Documents
import ModelIR
import Operators

/// Source: keras/src/layers/preprocessing/rescaling.py; a number, or one for each channel.
enum KerasRescaling: KerasLayerMapping {
  static let classNames = ["Rescaling"]

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    guard let scale = layer.settings["scale"] else { throw .settingMissing("scale") }
    return Rescaling(
      scale: try numbers("scale", scale),
      offset: try numbers("offset", layer.settings["offset"] ?? .number(0)))
  }

  private static func numbers(
    _ key: String, _ value: JSONValue
  ) throws(NetconvError) -> [Double] {
    let values = value.array ?? [value]
    let numbers = values.compactMap(\.double)
    guard !numbers.isEmpty, numbers.count == values.count else {
      throw .wrongSetting(key, value, expected: "a number, or one for each channel")
    }
    return numbers
  }
}
