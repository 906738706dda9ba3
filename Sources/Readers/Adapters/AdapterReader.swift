import Documents
import Files
import ModelIR

/// Reads the tensors of PEFT adapters as they are stored, with their settings as metadata.
enum AdapterReader: ModelReader {
  static let format = "peft"
  static let summary = "a folder with an adapter of PEFT (\(AdapterConfig.fileName))"

  static func recognizes(_ probe: SourceProbe) -> Bool { AdapterPlace.recognizes(probe) }

  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let place = try AdapterPlace(probe.path)
    let file = try place.openConfig()
    let settings: JSONValue
    do throws(NetconvError) {
      settings = try AdapterPlace.document(file)
    } catch {
      throw error.inFile(file.path)
    }
    let weights = try Shard(SourceProbe(place.weights), allowsHoles: options.acceptsNothing)
    var source = try ReadSource(
      NamedTensors(weights.tensors), called: Directory.stem(of: place.weights), format: format,
      path: probe.path, framework: "pytorch", files: [weights.file],
      notes: [.adapter(settings)], problem: weights.problem, unchecked: weights.unchecked, options)
    source.documents.append(file)
    source.facts = settings.facts
    source.pickles = weights.pickles
    return source
  }
}

extension JSONValue {
  /// The members of a configuration that are set, in the order of their names.
  fileprivate var facts: [SourceFact] {
    guard case .object(let members) = self else { return [] }
    return members.sorted { $0.key < $1.key }.compactMap { key, value in
      switch value {
      case .null, .array([]), .object([:]): nil
      case .string(let text): SourceFact(key: key, type: "text", text: text)
      case .bool(let flag): SourceFact(key: key, type: "flag", text: "\(flag)")
      case .number: SourceFact(key: key, type: "number", text: "\(value)")
      case .array(let elements):
        SourceFact(
          key: key, type: "list",
          text: elements.map { $0.string ?? "\($0)" }.joined(separator: ", "))
      case .object: SourceFact(key: key, type: "object", text: "\(value)")
      }
    }
  }
}

extension SourceNote {
  /// Describes an adapter that is read by itself.
  fileprivate static func adapter(_ settings: JSONValue) -> SourceNote {
    var parts = [settings["peft_type"]?.string.map { escaped($0) } ?? "of an unknown type"]
    if let rank = settings["r"] { parts.append("rank \(rank)") }
    if let alpha = settings["lora_alpha"] { parts.append("alpha \(alpha)") }
    if let targets = settings["target_modules"] {
      let names = targets.array?.compactMap(\.string) ?? [targets.string].compactMap(\.self)
      parts.append("for " + list(names))
    }
    if let base = settings["base_model_name_or_path"]?.string {
      parts.append("of the model \(quoted(base))")
    }
    return SourceNote(
      text: "these are the tensors of an adapter, not of a network: "
        + parts.joined(separator: ", "),
      details: [], isWarning: true)
  }
}
