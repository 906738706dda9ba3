import Documents
import Files
import ModelIR

/// Reads RTNeural's JSON format, whatever program wrote it.
///
/// Source: RTNeural/model_loader.h; python/model_utils.py.
enum RTNeuralReader: ModelReader {
  static let format = OutputFormat.rtneural.rawValue
  static let summary = "RTNeural's JSON (.json)"

  static func recognizes(_ probe: SourceProbe) -> Bool {
    RTNeuralDocument.recognizes(probe.jsonKeys)
  }

  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let file = try probe.opened()
    let value = try JSONDocument.parse(
      file.contents(limit: JSONDocument.sizeLimit), refusesRepeatedKeys: true)
    let document = try JSONFields(value, at: "", known: nil)
    let remarks = try remarks(in: document)
    let model = try RTNeuralGraph(document).model()
    let samples = RTNeuralTestVectors(document, model)
    var source = ReadSource(
      format: format, path: probe.path, framework: format, files: [file],
      network: .model(model), converted: nil, notes: SourceNote.remarks(remarks) + samples.notes)
    source.testVectors = samples.vectors
    return source
  }

  /// Metadata keys, which do not affect the computation.
  private static let remarkKeys = [
    "samplerate", "sample_rate", "author", "name", "esr", "metadata", "version", "date",
  ]

  /// Gains and skips that programs apply around the network, with their neutral values.
  private static let effects: [String: Double] = ["in_skip": 0, "in_gain": 0, "out_gain": 0]

  /// Returns the metadata of the file.
  ///
  /// - Throws: `badData` if an unknown key might change the result.
  private static func remarks(
    in document: JSONFields
  ) throws(NetconvError) -> [(String, JSONValue)] {
    let known = Set(["in_shape", "layers"] + remarkKeys + RTNeuralTestVectors.keys + effects.keys)
    var remarks: [(String, JSONValue)] = []
    for key in document.keys {
      guard known.contains(key) else { throw .unknownField(key, in: "", known: known) }
      guard let value = document[key] else { continue }
      if let neutral = effects[key], value.double != neutral {
        throw .effectAround(key, value)
      }
      if remarkKeys.contains(key) { remarks.append((key, value)) }
    }
    return remarks
  }
}

extension SourceNote {
  /// Lists the metadata of a file.
  static func remarks(_ remarks: [(String, JSONValue)]) -> [SourceNote] {
    var details: [String] = []
    func add(_ key: String, _ value: JSONValue) {
      switch value {
      case .null, .array: break
      case .object(let members):
        for (name, member) in members.sorted(by: { $0.key < $1.key }) {
          add("\(key).\(name)", member)
        }
      case .string(let text): details.append("\(escaped(key)) \(quoted(text))")
      case .number, .bool: details.append("\(escaped(key)) \(value)")
      }
    }
    for (key, value) in remarks { add(key, value) }
    guard !details.isEmpty else { return [] }
    return [SourceNote(text: remarksText, details: Array(details.prefix(40)), isWarning: false)]
  }
}

extension NetconvError {
  fileprivate static func effectAround(_ key: String, _ value: JSONValue) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(key)) is \(value): the program that the file is for adds or multiplies something around the network, "
        + "which is not read; set it to 0, and do it in the program")
  }
}
