import Documents
import Files
import ModelIR

/// A lone safetensors file that netconv wrote: its header says in which layout each tensor is.
enum SafetensorsReader: ModelReader {
  static let format = OutputFormat.safetensors.rawValue
  static let summary = "a \(OutputFormat.safetensors.ending ?? "") file that netconv wrote"

  static func recognizes(_ probe: SourceProbe) -> Bool {
    SafetensorsHeader.recognizes(probe.prefix)
  }

  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let container = try SafetensorsFile(probe.opened())
    guard let layouts = try container.layouts() else {
      throw NetconvError.foreign(.safetensors).inFile(probe.path)
    }
    var files = ParameterFiles(opened: container, as: SafetensorsContainer.file)
    let weights = try Weights(layouts) { parameter throws(NetconvError) in
      try files.source(of: parameter)
    }
    return ReadSource(
      format: format, path: probe.path, framework: nil, files: [container.file],
      network: .weights(try weights.dequantized()), converted: nil)
  }
}
