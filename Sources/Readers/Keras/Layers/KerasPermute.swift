import ModelIR
import Operators

/// Source: keras/src/layers/reshaping/permute.py; axes count from 1.
enum KerasPermute: KerasLayerMapping {
  static let classNames = ["Permute"]

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    guard let value = layer.settings["dims"] else { throw .settingMissing("dims") }
    guard let axes = value.array?.compactMap(\.int), axes.sorted() == Array(1..<axes.count + 1)
    else { throw .wrongSetting("dims", value, expected: "each axis once, counted from 1") }
    return Permute(order: axes.map { $0 - 1 })
  }
}
