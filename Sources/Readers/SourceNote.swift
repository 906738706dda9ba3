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
  /// Whether netconv has decided something that the user should see, although nothing is wrong.
  public var isDecision = false

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

  /// The tensors of which a map leaves out places that are not 0, beside zeros that it puts in; `nil` if there are none.
  ///
  /// Places that held 0 when the map was made look like zeros that were put there.
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

  /// The tensors that a map takes nothing of; `nil` if there are none.
  package static func unusedByMap(_ names: [String]) -> SourceNote? {
    guard !names.isEmpty else { return nil }
    return SourceNote(
      text: names.count == 1
        ? "the map uses no part of 1 tensor; if its values matter, the result is wrong"
        : "the map uses no part of \(names.count) tensors; if their values matter, the result is wrong",
      details: [list(names)], isWarning: true)
  }

  /// What was added to kernels of layers, by name.
  ///
  /// - Returns: `nil` if nothing was.
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

  /// Layers that go on where the batch before has ended.
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
