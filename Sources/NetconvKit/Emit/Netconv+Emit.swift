import Emission
import Files
import ModelIR
import Readers

extension Netconv {
  /// Returns a model as source code: a function that builds it, with parameters from a loader.
  ///
  /// - Parameters:
  ///   - path: a model in any format that netconv reads; no weights are read.
  ///   - language: the language to write.
  ///   - architecture: a file with the architecture, for sources that hold only weights.
  ///   - replacements: operators that replace layers that cannot be read, as `LAYER=OPERATOR(attribute: value, …)`.
  ///   - renames: a JSON file with other names for the variables of a TensorFlow checkpoint or graph.
  ///   - graph: the part of the source that is the model: between nodes of a TensorFlow or ONNX graph, or one of the
  ///     networks in a PyTorch file.
  ///   - observer: receives events about what was changed on reading, and about choices that were made.
  /// - Throws: `usage` for a language of packages, `badData` with every layer that the language does not support,
  ///   `cannotOpen` or `inputOutput`.
  public static func emit(
    _ path: String, language: EmittedLanguage = .standard, architecture: Architecture? = nil,
    replacements: [String] = [], renames: String? = nil, graph: GraphSelection = GraphSelection(),
    observer: Observer = Observer()
  ) throws(NetconvError) -> String {
    guard case .text(let words) = language else { throw .notAText(language) }
    let source = try ReaderRegistry.read(
      path,
      ReaderOptions(
        architecture: architecture, replacements: LayerReplacements(options: replacements),
        renames: VariableRenames(of: renames), graph: graph))
    source.tell(observer)
    do {
      return try words.text(
        of: try source.model, from: Directory.lastComponent(of: path), function: stem(of: path))
    } catch {
      throw error.inFile(path)
    }
  }
}

extension NetconvError {
  fileprivate static func notAText(_ language: EmittedLanguage) -> NetconvError {
    NetconvError(
      .usage,
      text: "\(language.name) is written as a package; name its folder with \(.destination)")
  }
}
