import Documents
import Files
import ModelIR

/// A model of Neural Amp Modeler: its configuration and all its weights in one list.
///
/// Source: neural-amp-modeler, nam/models/exportable.py and _from_nam.py; NeuralAmpModelerCore, NAM/get_dsp.cpp and
/// docs/nam_file_version.rst.
enum NeuralAmpModelerReader: ModelReader {
  static let format = "nam"
  static let summary = "a model of Neural Amp Modeler (.nam)"

  static func recognizes(_ probe: SourceProbe) -> Bool {
    let keys = probe.jsonKeys
    return keys.isSuperset(of: ["architecture", "config"])
      || keys.isSuperset(of: ["architecture", "weights"])
  }

  private static let keys: Set<String> = [
    "version", "metadata", "architecture", "config", "weights", "sample_rate", "notes",
  ]

  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let file = try probe.opened()
    let value = try JSONDocument.parse(
      file.contents(limit: JSONDocument.sizeLimit), refusesRepeatedKeys: true)
    let document = try JSONFields(value, at: "", known: keys)
    let version = try version(of: document)
    let architecture = try document.string("architecture")
    var weights = NAMWeights(try document.list("weights"))
    let model: Model
    var notes = remarks(in: document, version)
    switch architecture {
    case "WaveNet":
      let network = try NAMWaveNet(document["config"])
      let graph = try NAMWaveNetGraph(network, &weights)
      model = try graph.model(name: architecture)
      notes += SourceNote.unusedLast(graph.unusedCount)
    case "LSTM":
      model = try NAMLSTM(document["config"]).model(name: architecture, &weights)
    default: throw .unknownNAMArchitecture(architecture)
    }
    try weights.finish()
    return ReadSource(
      format: format, path: probe.path, framework: "neural-amp-modeler \(version)", files: [file],
      network: .model(model), converted: nil, notes: notes)
  }

  /// The versions of the format that are known to mean what is read.
  private static let minorVersions = 5...7

  private static func version(of document: JSONFields) throws(NetconvError) -> String {
    let version = try document.string("version")
    let numbers = version.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 3, numbers[0] == 0, let minor = numbers[1],
      minorVersions.contains(minor), numbers[2].map({ $0 >= 0 }) ?? false
    else { throw .unknownNAMVersion(version) }
    return version
  }

  private static func remarks(in document: JSONFields, _ version: String) -> [SourceNote] {
    var remarks: [(String, JSONValue)] = [("version", .string(version))]
    for key in ["sample_rate", "metadata", "notes"] {
      if let value = document[key] { remarks.append((key, value)) }
    }
    return SourceNote.remarks(remarks)
  }
}
