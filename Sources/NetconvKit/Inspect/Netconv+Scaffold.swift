import ModelIR
import Readers

extension Netconv {
  /// Creates an initial `model.json` for weights without a graph.
  ///
  /// - Parameters:
  ///   - path: the path of weights without a graph, in any format that netconv reads.
  ///   - convention: the convention of names and layouts: `torch`, `mlx` or `tensorflow`; `nil` to detect it.
  ///   - renames: a JSON file with other names for the variables of a TensorFlow checkpoint.
  ///   - graph: the network to use, if a PyTorch file contains several.
  ///   - observer: receives events about what was changed on reading.
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

extension NetconvError {
  fileprivate static var hasGraph: NetconvError {
    NetconvError(.usage, "has a graph and needs no description")
  }
}
