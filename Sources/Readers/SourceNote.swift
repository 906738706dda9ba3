import Documents
import ModelIR

/// Something about a source that a user should know: what was read otherwise than it is stored.
public struct SourceNote: Sendable, Equatable {
  /// What it is.
  public let text: String
  /// What it concerns, such as layers.
  public let details: [String]
  /// Whether numbers may not be what a user takes them for.
  public let isWarning: Bool

  /// The note in one line, for documents.
  public var line: String {
    details.isEmpty ? text : text + ": " + details.joined(separator: "; ")
  }
}

extension SourceNote {
  /// What a conversion has recorded of its own source.
  static func recorded(_ lines: [String]?) -> [SourceNote] {
    (lines ?? []).map { SourceNote(text: $0, details: [], isWarning: false) }
  }

  /// What was added to kernels of layers, by name.
  ///
  /// - Returns: `nil` if nothing was.
  static func lora(of layers: [(name: String, config: KerasLayerConfig)]) -> SourceNote? {
    var details: [String] = []
    var isWarning = false
    for (name, config) in layers {
      guard let lora = try? config.lora else { continue }
      let isForgotten = config.className == "Dense" && lora.alpha != Double(lora.rank)
      isWarning = isWarning || isForgotten
      details.append(Self.loraDetail(name, lora, isForgotten: isForgotten))
    }
    guard !details.isEmpty else { return nil }
    return SourceNote(text: Self.loraText(details.count), details: details, isWarning: isWarning)
  }

  /// How values follow from integers and scales.
  ///
  /// - Parameter formulas: by layer.
  /// - Returns: `nil` if there are none.
  static func quantised(_ formulas: [(name: String, mode: String, text: String)]) -> SourceNote? {
    guard !formulas.isEmpty else { return nil }
    return SourceNote(
      text: Self.quantisedText(formulas.count),
      details: formulas.map { "\(quoted($0.name)) (\(escaped($0.mode))): \($0.text)" },
      isWarning: true)
  }

  /// Layers that carry their state from one batch to the next in Keras.
  ///
  /// - Returns: `nil` if there are none.
  static func stateful(_ layers: [(name: String, config: KerasLayerConfig)]) -> SourceNote? {
    let names = layers.filter { $0.config.value(of: "stateful") == .bool(true) }.map(\.name)
    guard !names.isEmpty else { return nil }
    return SourceNote(
      text:
        "\(names.count) \(names.count == 1 ? "layer is" : "layers are") stateful; each sequence begins with zeros, as "
        + "in Keras after reset_states()",
      details: names.map { quoted($0) }, isWarning: true)
  }
}
