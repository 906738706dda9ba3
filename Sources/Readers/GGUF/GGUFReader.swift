import Documents
import Files
import ModelIR

/// Reads GGUF files of llama.cpp and related projects, single or split: tensors by name, without a graph.
enum GGUFReader: ModelReader {
  static let format = OutputFormat.gguf.rawValue
  static let summary = "a GGUF file (\(OutputFormat.gguf.ending ?? ""))"
  static let takesArchitecture = true

  static func recognizes(_ probe: SourceProbe) -> Bool {
    probe.prefix.starts(with: GGUFHeader.magic)
  }

  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let headers = try GGUFParts(probe.opened()).headers
    var tensors = headers.flatMap(\.stored)
    var scaled: Set<String> = []
    var problem: NetconvError?
    do throws(NetconvError) {
      (tensors, scaled) = try GGUFScales.applied(to: tensors)
    } catch {
      problem = error
    }
    if tensors.isEmpty, !options.acceptsNothing { throw .emptyGGUF }
    let undefined = headers.flatMap(\.undefined)
    var source = try ReadSource(
      NamedTensors(tensors, scaled: scaled), called: Directory.stem(of: probe.path), format: format,
      path: probe.path, framework: nil, files: headers.map(\.file),
      notes: headers.count == 1 ? [SourceNote.oneShard(probe.path)].compactMap(\.self) : [],
      problem: undefined.isEmpty ? problem : .bigEndianGGUF(undefined), options)
    source.facts = headers[0].facts
    return source
  }
}

extension GGUFHeader {
  /// All tensors by name, without layouts.
  fileprivate var stored: [(name: String, stored: StoredTensor)] {
    tensors.map { tensor in
      var stored = StoredTensor(
        source: values(of: tensor), layout: nil, shape: tensor.shape, path: tensor.name)
      if case .numbers = tensor.type {
      } else {
        stored.kind = StoredKind(tensor.type.name, byteCount: tensor.range.count)
      }
      return (tensor.name, stored)
    }
  }

  /// The tensors whose block format is defined for little-endian files only, if the file is big endian.
  fileprivate var undefined: [(name: String, kind: String)] {
    byteOrder == .little
      ? []
      : tensors.compactMap { tensor in
        guard case .blocks(let block) = tensor.type, !block.hasBigEndianForm else { return nil }
        return (tensor.name, block.name)
      }
  }

  /// The version and byte order, followed by the metadata.
  fileprivate var facts: [SourceFact] {
    let order = byteOrder == .little ? "little" : "big"
    return [SourceFact(key: "GGUF", type: "", text: "version \(version), \(order)-endian")]
      + metadata.map { SourceFact(key: $0.key, type: $0.value.typeName, text: $0.value.text) }
  }

  private func values(of tensor: Tensor) -> any TensorSource {
    let count = tensor.range.count / tensor.type.byteCount * tensor.type.valueCount
    switch tensor.type {
    case .numbers(let type, _):
      return FileTensorSource(
        file: file, offset: tensor.range.lowerBound, elementType: type, count: count,
        byteOrder: byteOrder)
    case .blocks(let block) where byteOrder == .little || block.hasBigEndianForm:
      return GGUFBlockSource(
        file: file, offset: tensor.range.lowerBound, block: block, count: count,
        byteOrder: byteOrder)
    case .blocks, .listed:
      return UnreadValues(kind: tensor.type.name, count: count)
    }
  }
}

extension NetconvError {
  fileprivate static let emptyGGUF = NetconvError(
    .badData,
    "holds no tensors, as files with a vocabulary alone; netconv inspect shows its metadata")

  fileprivate static func bigEndianGGUF(_ tensors: [(name: String, kind: String)]) -> NetconvError {
    NetconvError(
      .badData,
      "stores the most significant byte first, and holds blocks for which nobody has defined what that means",
      details: tensors.map { "\(quoted($0.name)) (\($0.kind))" })
  }
}
