import Documents
import Files
import ModelIR

/// Reads a Neural Amp Modeler file: a configuration and a list of all weights.
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

  /// An entry selects the network of a container.
  static var takesEntries: Bool { true }

  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let file = try probe.opened()
    let value = try JSONDocument.parse(
      file.contents(limit: JSONDocument.sizeLimit), refusesRepeatedKeys: true)
    var document = try NAMDocument(value, at: "")
    var notes: [SourceNote] = []
    if let container = try NAMContainer(document) {
      let chosen = try container.chosen(options.graph.entry)
      notes = [container.note(of: chosen)] + document.remarks
      document = chosen.document
    } else if options.graph.entry != nil {
      throw .noEntries
    }
    let (model, unusedCount) = try NAMNetwork(document).model(name: document.architecture)
    return ReadSource(
      format: format, path: probe.path, framework: "neural-amp-modeler \(document.version)",
      files: [file], network: .model(model), converted: nil,
      notes: notes + document.remarks + SourceNote.unusedLast(unusedCount))
  }
}

extension SourceNote {
  /// Reports unused output weights of the last layer.
  fileprivate static func unusedLast(_ count: Int) -> [SourceNote] {
    guard count > 0 else { return [] }
    return [
      SourceNote(
        text:
          "\(count) weights are not taken over: those of the convolution from the last layer to a next one, which there is "
          + "not",
        details: [], isWarning: false)
    ]
  }
}
