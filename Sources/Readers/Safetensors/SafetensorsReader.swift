import Documents
import Files
import ModelIR
import Transforms

/// Reads single safetensors files; those that netconv wrote have the layout of each tensor in their headers.
enum SafetensorsReader: ModelReader {
  static let format = OutputFormat.safetensors.rawValue
  static let summary = "a \(OutputFormat.safetensors.ending ?? "") file"

  static let takesArchitecture = true
  static let takesCodes = true

  static func recognizes(_ probe: SourceProbe) -> Bool {
    SafetensorsHeader.recognizes(probe.prefix)
  }

  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let container = try SafetensorsFile(probe.opened(), allowsHoles: options.acceptsNothing)
    guard let layouts = try container.layouts() else {
      var source = try ReadSource(
        NamedTensors(
          container.stored, beside: Directory.parent(of: probe.path),
          readsCodes: options.graph.readsCodes), called: Directory.stem(of: probe.path),
        format: format,
        path: probe.path, framework: container.framework, files: [container.file],
        notes: [SourceNote.oneShard(probe.path)].compactMap(\.self),
        problem: container.holeProblem, options)
      source.facts = container.facts
      return source
    }
    var files = ParameterFiles(opened: container, as: SafetensorsContainer.file)
    let target = container.header.metadata["target"]
    let hasNames = Target.all.contains { $0.name == target && $0.hasDottedNames }
    let weights = try Weights(
      layouts, isAlone: true,
      source: { parameter throws(NetconvError) in try files.source(of: parameter) },
      name: { hasNames ? $0.tensor : nil })
    return ReadSource(
      format: format, path: probe.path, framework: nil, files: [container.file],
      network: .weights(try weights.dequantized()), converted: nil)
  }
}

extension SafetensorsFile {
  /// The metadata in the header, except the framework.
  fileprivate var facts: [SourceFact] {
    header.metadata.filter { $0.key != "format" }.sorted { $0.key < $1.key }.map {
      SourceFact(key: $0.key, type: "text", text: $0.value)
    }
  }

  /// The framework that wrote the file, from the `format` key; `nil` if it is absent or unknown.
  ///
  /// Source: safetensors/bindings/python/py_src/safetensors/torch.py, transformers' `save_pretrained`.
  fileprivate var framework: String? {
    switch header.metadata["format"] {
    case "pt": "pytorch"
    case "tf": "tensorflow"
    case "np": "numpy"
    case "flax", "mlx": header.metadata["format"]
    default: nil
    }
  }
}
