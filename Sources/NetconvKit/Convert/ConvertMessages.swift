import Documents
import ModelIR
import Transforms
import Writers

/// Error and warning messages of a conversion.
extension NetconvError {
  static func noPlaceForFilters(_ destination: String) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "\(quoted(destination)) cannot store steps for pixels; leave out \(.filters), or write a folder "
        + "or an archive")
  }

  static var noFiltersWithoutGraph: NetconvError {
    NetconvError(
      .usage,
      text: "\(.filters) is recorded with a graph; leave out \(.weightsOnly), or the filters")
  }

  /// - Parameter takesConvention: for weights without a graph, true if no convention is named yet; `nil` if there is
  ///   a graph.
  static func withoutLayout(
    _ tensors: [String], target: String, takesConvention: Bool?
  ) -> NetconvError {
    let wayOn: Message =
      switch takesConvention {
      case true:
        "\(.convention) names the source's layouts (torch, mlx, tensorflow or keras), \(.layouts) those of single tensors, "
          + "\(.keep) leaves some as they are, and "
      case false: "\(.architectureFile) with the graph describes each of them, and "
      case nil: ""
      }
    let keeps: Message = "\(.notStrict) keeps the source's"
    return NetconvError(
      .badData,
      text:
        "target \(target) has no known layout for \(counted(tensors.count, "tensor")); \(wayOn)\(keeps)",
      list: tensors.messages)
  }

  static var rulesWithGraph: NetconvError {
    NetconvError(
      .usage,
      text:
        "\(.rules), \(.keep) and \(.layouts) are for weights without a graph; add \(.weightsOnly)")
  }

  static var nothingToState: NetconvError {
    NetconvError(
      .usage,
      text:
        "\(.layouts) and \(.keep) are for weights to transpose, and these keep the source's order; name a target, or leave "
        + "them out")
  }

  static func nothingForConvention(keeping: Bool) -> NetconvError {
    NetconvError(
      .usage,
      text: keeping
        ? "\(.convention) gives the layout of weights to transpose, but these keep the source's order; name a "
          + "target, or leave it out"
        : "the source states the layouts of its weights; leave out \(.convention)")
  }

  static var adapterNeedsWeightsOnly: NetconvError {
    NetconvError(
      .usage, text: "an adapter is merged into weights without a graph; add \(.weightsOnly)")
  }

  static var shardSizeWithoutShards: NetconvError {
    NetconvError(
      .usage,
      text:
        "\(.shardSize) is for the format \(OutputFormat.shards.rawValue), which \(.formats) leaves out"
    )
  }

  static func shardsInFile(_ destination: String) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "\(quoted(destination)) is a single file, and shards are several; leave out \(.shardSize), or name a folder"
    )
  }

  static func notInGGUF(_ type: ElementType) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "a GGUF file cannot hold \(type.rawValue); \(.elementType) takes float32, float16 or bfloat16 for it"
    )
  }

  static var cannotReplaceWithoutGraph: NetconvError {
    NetconvError(
      .usage,
      text:
        "without the graph no layer is computed, and none can be replaced; leave out \(.weightsOnly) or "
        + "\(.replacements)"
    )
  }

  static var cannotFoldWithoutGraph: NetconvError {
    NetconvError(
      .usage,
      text:
        "nothing can be folded without the graph; leave out \(.weightsOnly) or \(.foldsBatchNormalization)"
    )
  }

  static func notAlone(
    _ formats: [OutputFormat], destination: String, container: OutputFormat
  ) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "\(quoted(destination)) is a single \(container.rawValue) file, and cannot be written as "
        + "\(formats.map(\.rawValue).joined(separator: " and ")); name a folder, or leave out \(.formats)"
    )
  }

  static func noPlace(for type: ElementType, destination: String) -> NetconvError {
    let formats = OutputFormat.allCases.filter { $0 != .gguf }
    let endings = formats.filter { !$0.unsupportedTypes.contains(type) }
      .compactMap(\.ending).reversed()
    return NetconvError(
      .usage,
      "\(quoted(destination)) cannot hold \(type.rawValue), which NumPy does not have; end the name in "
        + "\(endings.joined(separator: " or ")), or name a folder")
  }

  static func noPlaceForGoldens(_ destination: String) -> NetconvError {
    NetconvError(
      .usage,
      "\(quoted(destination)) cannot hold goldens; name a folder or a \(OutputFormat.wholeEndings) archive, "
        + "or leave them out"
    )
  }

  static func tooLittleMemory(_ limit: Int, least: Int) -> NetconvError {
    NetconvError(
      .usage,
      "\(limit >> 20) MiB of memory are too few for a conversion; it needs \(least >> 20) MiB")
  }

  /// - Parameter isAlone: true if the format is that of a single file, rather than one of several in a folder.
  static func noSource(
    _ format: OutputFormat, _ target: String, _ type: ElementType, isAlone: Bool
  ) -> NetconvError {
    let targets = Target.all.filter { $0.texts.contains(format) }.map(\.name)
    let beside: Message = isAlone ? "" : " and \(.formats) \(format.besideReadable)"
    return NetconvError(
      .usage,
      text:
        "target \(target) does not accept \(type.rawValue) weights as \(format.title); it is for "
        + "\(.target) \(targets.joined(separator: " or "))\(beside), in float32")
  }

  static func onlySource(_ format: OutputFormat) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "\(format.title) cannot be read back; write another format with it, as in "
        + "\(.formats) \(format.besideReadable)"
        + (format.ending.map { ", or name a file that ends in \($0)" } ?? ""))
  }

  static var layoutWithoutGraph: NetconvError {
    NetconvError(
      .usage,
      "only ONNX graphs and Core ML packages have inputs and outputs whose layout can be chosen, and none is written; name "
        + "a file that ends in \(OutputFormat.onnx.ending ?? "") or \(OutputFormat.coreml.ending ?? "")"
    )
  }

  static var opsetWithoutGraph: NetconvError {
    NetconvError(
      .usage,
      "only a graph of ONNX has an operator set, and none is written; name a file that ends in "
        + "\(OutputFormat.onnx.ending ?? ""), or choose target \(OutputFormat.onnx.rawValue)")
  }

  static func endingOfNoFiles(_ naming: String, _ ending: String) -> NetconvError {
    let what = ending.isEmpty ? "in a dot" : "in \(quoted(ending))"
    return NetconvError(
      .usage,
      "naming \(quoted(naming)) ends \(what), which sets the extension of bin files, and none are "
        + "written; leave it out")
  }

  static func sharedName(
    _ template: String, _ name: String, _ tensors: [Tensor]
  ) -> NetconvError {
    let field = template.contains("{role}") ? "{layer}" : "{role}"
    return NetconvError(
      .usage,
      text:
        "naming \(quoted(template)) gives \(tensors.count) tensors the name \(quoted(name)); add \(field) to it",
      list: tensors.prefix(12).map { "\(quoted($0.layer)) \($0.spec.role)" }.messages)
  }

  static var noFormats: NetconvError {
    NetconvError(.usage, "no output format was named; known are " + OutputFormat.list)
  }
}

extension OutputFormat {
  /// A list of formats for an option, with one that netconv can read: `bin,c`.
  fileprivate var besideReadable: String {
    (OutputFormat.readable.prefix(1) + [self]).map(\.rawValue).joined(separator: ",")
  }

  /// The name of the format in messages.
  fileprivate var title: String { self == .rtneural ? "RTNeural's JSON" : rawValue.uppercased() }
}

extension Event {
  /// A note on recurrent layers whose two biases are added, since the target has one.
  static func summedBiases(of layers: [String], target: String) -> Event {
    .decision(
      "the two biases of \(counted(layers.count, "recurrent layer")) are added: \(target) has only one",
      details: layers.map { "\(quoted($0))" })
  }

  /// A warning that no graph is written with the weights, and the reason.
  static func withoutGraph(_ graph: OutputFormat, _ error: NetconvError) -> Event {
    let text: Message =
      graph == .onnx
      ? "only the initializers are written, without an ONNX graph"
      : "only the weights are written, without \(graph.publishedName ?? graph.rawValue)"
    return .warning(text, details: [error.headline])
  }

  /// A warning about inconsistencies between a source's graph and its weights, with their locations.
  static func misfits(_ misfits: [Message]) -> Event {
    .warning(
      "parts of the file are inconsistent or cannot be read; every readable array is written as it is, "
        + "without a graph",
      details: misfits)
  }

  static func outliers(_ tensors: [String]) -> Event {
    .warning(
      (tensors.count == 1
        ? "1 tensor has a channel" : "\(tensors.count) tensors have channels")
        + " with a few large values, because of which most others become zero; "
        + "\(.elementTypeRules) sets another type for a tensor",
      details: tensors.messages)
  }

  static func tensorsWithoutLayout(_ tensors: [String], target: String) -> Event {
    .warning(
      tensors.count == 1
        ? "target \(target) has no layout for 1 tensor; it keeps the source's"
        : "target \(target) has no layout for \(tensors.count) tensors; they keep the source's",
      details: tensors.messages)
  }

  static func nonFinite(_ tensors: [String]) -> Event {
    .warning(
      tensors.count == 1
        ? "1 tensor holds values that are infinite or NaN; check how the model was trained and saved"
        : "\(tensors.count) tensors hold values that are infinite or NaN; check how the model was trained "
          + "and saved",
      details: tensors.messages)
  }
}

extension OutputFormat {
  /// The names of all formats: `bin, archive, safetensors, npz, c and rtneural`.
  package static var list: String {
    let names = allCases.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }
}
