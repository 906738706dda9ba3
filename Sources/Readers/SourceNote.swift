import Documents
import ModelIR

/// A remark about a source for the user, such as values that are read differently from their stored form.
public struct SourceNote: Sendable, Equatable {
  /// The text of the remark.
  public let text: String
  /// The subjects of the remark, such as layers.
  public let details: [String]
  /// True if values may differ from the user's expectation.
  public let isWarning: Bool
  /// True if netconv made a decision that the user should know of, although nothing is wrong.
  public var isDecision = false

  /// The remark in one line, for documents.
  public var line: String {
    details.isEmpty ? text : text + ": " + details.joined(separator: "; ")
  }
}

extension SourceNote {
  /// Returns the remarks that a conversion recorded about its own source.
  static func recorded(_ lines: [String]?) -> [SourceNote] {
    (lines ?? []).map { SourceNote(text: $0, details: [], isWarning: false) }
  }

  /// Reports tensors in which a map inserts zeros and omits values that are not 0; `nil` if there are none.
  ///
  /// Values that were 0 when the map was made are indistinguishable from inserted zeros.
  package static func leftBehindByMap(_ names: [String]) -> SourceNote? {
    guard !names.isEmpty else { return nil }
    return SourceNote(
      text: names.count == 1
        ? "the map puts zeros beside a part of 1 tensor, whose other values are not 0; correct its ranges, or write it "
          + "from trained weights"
        : "the map puts zeros beside parts of \(names.count) tensors, whose other values are not 0; correct its "
          + "ranges, or write it from trained weights",
      details: [list(names)], isWarning: true)
  }

  /// Reports tensors that a map does not use; `nil` if there are none.
  package static func unusedByMap(_ names: [String]) -> SourceNote? {
    guard !names.isEmpty else { return nil }
    return SourceNote(
      text: names.count == 1
        ? "the map uses no part of 1 tensor; if its values matter, the result is wrong"
        : "the map uses no part of \(names.count) tensors; if their values matter, the result is wrong",
      details: [list(names)], isWarning: true)
  }

  /// Lists the LoRA weights that were merged into kernels, by layer.
  ///
  /// - Returns: `nil` if there are none.
  static func lora(of layers: [(name: String, config: KerasLayerConfig)]) -> SourceNote? {
    var details: [String] = []
    var isWarning = false
    for (name, config) in layers {
      guard let lora = try? config.lora else { continue }
      let isForgotten =
        ["Dense", "Embedding"].contains(config.className) && lora.alpha != Double(lora.rank)
      isWarning = isWarning || isForgotten
      details.append(Self.loraDetail(name, lora, isForgotten: isForgotten))
    }
    guard !details.isEmpty else { return nil }
    return SourceNote(text: Self.loraText(details.count), details: details, isWarning: isWarning)
  }

  /// Explains quantised values in terms of integers and scales.
  ///
  /// - Parameter formulas: The formulas by layer.
  /// - Returns: `nil` if there are none.
  static func quantised(_ formulas: [(name: String, mode: String, text: String)]) -> SourceNote? {
    guard !formulas.isEmpty else { return nil }
    return SourceNote(
      text: Self.quantisedText(formulas.count),
      details: formulas.map { "\(quoted($0.name)) (\(escaped($0.mode))): \($0.text)" },
      isWarning: true)
  }

  /// Lists the layers that keep their states between batches.
  ///
  /// - Returns: `nil` if there are none.
  static func stateful(_ architecture: KerasArchitecture) -> SourceNote? {
    let names = architecture.statefulLayers
    guard !names.isEmpty else { return nil }
    return SourceNote(
      text: statefulText(names.count, batch: architecture.root.batch),
      details: names.map { quoted($0) }, isWarning: true)
  }

  private static func statefulText(_ count: Int, batch: Int?) -> String {
    let layers = "\(count) \(count == 1 ? "layer is" : "layers are") stateful"
    guard let batch else {
      return "\(layers), and the model states no batch; each sequence starts from zeros"
    }
    let place = batch == 1 ? "" : " \(batch) places"
    return "\(layers): each sequence continues the one\(place) before it, as in "
      + "Keras with batch_size=\(batch)"
  }
}

extension SourceNote {
  fileprivate static func loraText(_ count: Int) -> String {
    "LoRA was added to \(count == 1 ? "1 kernel" : "\(count) kernels"), as Keras computes with it: kernel + "
      + "lora_alpha / lora_rank * A·B"
  }

  fileprivate static func loraDetail(_ layer: String, _ lora: KerasLoRA, isForgotten: Bool)
    -> String
  {
    "\(quoted(layer)): lora_alpha \(JSONValue.number(lora.alpha)), lora_rank \(lora.rank)"
      + (isForgotten
        ? "; Keras 3.15 takes lora_rank for both when it loads this layer from HDF5, and then computes "
          + "something else than the model that was saved" : "")
  }

  fileprivate static func quantisedText(_ count: Int) -> String {
    "Keras has quantised \(count == 1 ? "1 layer" : "\(count) layers"); values are computed from "
      + "the stored tensors, which are not the weights themselves"
  }
}
