import ModelIR
import Readers

extension Netconv {
  /// A first `model.json` for weights without a graph.
  ///
  /// - Parameters:
  ///   - path: anything that netconv reads and that has no graph.
  ///   - convention: whose names and layouts the tensors have: `torch`, `mlx` or `tensorflow`; `nil` if the source tells.
  ///   - renames: a JSON file with other names for the variables of a TensorFlow checkpoint.
  ///   - graph: which of a PyTorch file's networks.
  ///   - observer: told what was read otherwise than it is stored.
  /// - Throws: `usage` if the source has a graph; `badData`, `cannotOpen` or `inputOutput`.
  public static func scaffold(
    _ path: String, convention: String? = nil, renames: String? = nil,
    graph: GraphSelection = GraphSelection(),
    observer: Observer = Observer()
  ) throws(NetconvError) -> GraphScaffold {
    let source = try ReaderRegistry.read(
      path,
      ReaderOptions(
        acceptsWeights: true, renames: VariableRenames(of: renames), graph: graph))
    source.tell(observer)
    guard case .weights = source.network else { throw NetconvError.hasGraph.inFile(path) }
    do {
      let scaffold = try GraphScaffold(source, convention: convention)
      if let doubt = scaffold.doubt {
        observer.onEvent(.warning(Message(text: doubt), details: []))
      }
      return scaffold
    } catch {
      throw error.inFile(path)
    }
  }
}
