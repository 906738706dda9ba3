import Documents
import ModelIR
import Operators

/// Source: keras/src/layers/preprocessing/normalization.py; the statistics are weights if `adapt` computed them, else
/// settings.
enum KerasNormalization: KerasLayerMapping {
  static let classNames = ["Normalization"]
  static var axisSetting: (key: String, default: Int)? { ("axis", -1) }
  static let operators: [any Operator.Type] = [Normalization.self]
  static let refused = ["statistics that repeat along an inner axis"]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule {
    layer.kerasVersion >= 3 ? .passes : .drops
  }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    Normalization(
      axes: layer.value(of: "axis")?.array?.isEmpty ?? false ? [] : try layer.axes("axis").axes,
      invert: try layer.bool("invert", default: false), statistics: try statistics(of: layer))
  }

  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] {
    guard try statistics(of: layer) == nil else { return [] }
    return [
      KerasWeight(name: "mean", role: .mean), KerasWeight(name: "variance", role: .variance),
      KerasWeight(name: "count", role: nil),
    ]
  }

  private static func statistics(
    of layer: KerasLayerConfig
  ) throws(NetconvError) -> Normalization.Statistics? {
    guard let mean = try numbers("mean", of: layer) else { return nil }
    guard let variance = try numbers("variance", of: layer), variance.count == mean.count else {
      throw .wrongSetting(
        "variance", layer.value(of: "variance") ?? .null, expected: "as many numbers as mean has")
    }
    return Normalization.Statistics(mean: mean, variance: variance)
  }

  /// Returns the numbers of nested lists; `nil` if they would be broadcast along an inner axis.
  private static func numbers(
    _ key: String, of layer: KerasLayerConfig
  ) throws(NetconvError) -> [Double]? {
    try layer.optionalSetting(key, expected: "a number, or one for each place along the axes") {
      guard let shape = shape(of: $0), !shape.drop(while: { $0 == 1 }).dropFirst().contains(1)
      else { return nil }
      return flat($0)
    }
  }

  /// Returns the shape of nested lists; `nil` if they are ragged or contain anything but numbers.
  private static func shape(of value: JSONValue) -> [Int]? {
    guard let elements = value.array else { return value.double == nil ? nil : [] }
    let shapes = elements.map { shape(of: $0) }
    guard let first = shapes.first, let inner = first, shapes.allSatisfy({ $0 == first }) else {
      return nil
    }
    return [elements.count] + inner
  }

  private static func flat(_ value: JSONValue) -> [Double] {
    value.array.map { $0.flatMap(flat) } ?? [value.double ?? 0]
  }
}
