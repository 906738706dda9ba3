import ModelIR
import Operators

/// Source: keras/src/layers/reshaping/cropping2d.py; one number, two, or `[[t, b], [l, r]]`.
enum KerasCropping2D: KerasLayerMapping {
  static let classNames = ["Cropping2D"]

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    guard let value = layer.settings["cropping"] else { throw .settingMissing("cropping") }
    let sides = value.array ?? [value, value]
    let pairs = sides.map { side in (side.array ?? [side, side]).compactMap(\.int) }
    guard pairs.count == 2, pairs.allSatisfy({ $0.count == 2 }) else {
      throw .wrongSetting("cropping", value, expected: "[[top, bottom], [left, right]]")
    }
    return Cropping2D(
      top: pairs[0][0], bottom: pairs[0][1], left: pairs[1][0], right: pairs[1][1])
  }
}
