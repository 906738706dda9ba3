import Documents
import ModelIR
import Operators

/// A layer or model that is applied to each step; ``KerasSequences`` and ``KerasScope`` expand its contents.
///
/// Source: keras/src/layers/rnn/time_distributed.py.
enum KerasTimeDistributed: KerasLayerMapping {
  static let className = "TimeDistributed"
  static let classNames = [className]
  static let operators: [any Operator.Type] = [TimeDistributed.self]
  static let refused = ["layers in it that are not read, or that take a mask"]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .passes }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    // Only reached if no graph expands the layer.
    throw .severalLayers(className)
  }

  /// Returns the operator of a layer within `count` nested TimeDistributed layers.
  static func distributed(_ operation: any Operator, count: Int) -> any Operator {
    switch operation {
    // These operators already act on each vector separately.
    case is Identity, is Dense: operation
    case let activation as Activation where activation.function.axis == nil: activation
    default: (0..<count).reduce(operation) { inner, _ in TimeDistributed(inner) }
    }
  }
}

extension KerasLayerConfig {
  /// Returns the layer in a setting, under another name.
  ///
  /// - Throws: `badData` if the setting is missing, or not a layer.
  func part(_ key: String, called name: String) throws(NetconvError) -> KerasLayerConfig {
    guard let value = value(of: key) else { throw NetconvError.settingMissing(key).inLayer(name) }
    var part = try KerasLayerConfig(value, place: key)
    part.name = name
    part.kerasVersion = kerasVersion
    return part
  }

  /// True if the layer concatenates along an axis other than the steps of sequences.
  var concatenatesChannels: Bool {
    (try? axis("axis", default: -1)).map { $0 == -1 || $0 > 0 } ?? false
  }
}
