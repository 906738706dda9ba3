import Documents
import ModelIR

extension KerasLayerConfig {
  /// True if the channels are the first axis of the layer's images.
  var isChannelsFirst: Bool {
    settings["data_format"] == .string("channels_first") || KerasReduction.isOverLastAxes(self)
  }

  /// The equivalent layer for channels-last images.
  var withChannelsLast: KerasLayerConfig {
    var layer =
      KerasReduction.isOverLastAxes(self)
      ? KerasReduction.overFirstAxes(self)
      : replacing("data_format", with: .string("channels_last"))
    layer.hasMovedChannels = true
    return layer
  }

  /// Returns the equivalent layer for an array whose first axis has been moved to the end; `key` names the axes.
  ///
  /// - Parameters:
  ///   - fallback: Keras's default.
  ///   - rank: The rank of the array without the batch.
  func movingAxes(_ key: String, default fallback: Int, rank: Int) -> KerasLayerConfig {
    let value = value(of: key) ?? .number(Double(fallback))
    func moved(_ value: JSONValue) -> JSONValue {
      guard let axis = value.int, axis != 0, rank > 0 else { return value }
      let index = axis < 0 ? axis + rank : axis - 1
      return .number(Double(index == 0 ? rank : index))
    }
    return replacing(key, with: value.array.map { .array($0.map(moved)) } ?? moved(value))
  }
}
