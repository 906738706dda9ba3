import Documents
import Files
import ModelIR
import Transforms

/// A lone safetensors file; the header of one that netconv wrote says in which layout each tensor is.
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
  /// What the header says besides tensors and the library that wrote it.
  fileprivate var facts: [SourceFact] {
    header.metadata.filter { $0.key != "format" }.sorted { $0.key < $1.key }.map {
      SourceFact(key: $0.key, type: "text", text: $0.value)
    }
  }

  /// What wrote the file, where it says so as libraries do.
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
