import Emission
import Files
import ModelIR
import Readers

extension Netconv {
  /// Writes a model as source text: a function that builds it, with parameters from a loader.
  ///
  /// - Parameters:
  ///   - path: anything that netconv reads; no weight is read.
  ///   - language: what to write.
  ///   - architecture: a file with the architecture, for sources that hold only weights.
  ///   - replacements: operators in the place of layers that cannot be read, as `LAYER=OPERATOR(attribute: value, …)`.
  ///   - renames: a JSON file with other names for the variables of a TensorFlow checkpoint or graph.
  ///   - graph: which part of the source is the model: between nodes of a TensorFlow or ONNX graph, or one of a PyTorch file's networks.
  ///   - observer: told what was read otherwise than it is stored, and what was decided.
  /// - Throws: `usage` for a language of packages, `badData` with every layer that the language has no word for, `cannotOpen` or `inputOutput`.
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
