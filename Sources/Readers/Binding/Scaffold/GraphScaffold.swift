import Documents
import ModelIR
import Operators

/// A first `model.json` for weights without a graph: what names, shapes and the order of the source tell, with a
/// question wherever only a person knows.
///
/// The layers are a chain in the order of the source. A network with branches needs other inputs for some, which the
/// person edits.
public struct GraphScaffold: Sendable {
  /// What stands for a value that a person has to say.
  public static let question = "?"
  /// The key of what is asked and guessed; it says nothing of the network.
  static let notesKey = "scaffold"

  /// The document: JSON.
  public let text: [UInt8]
  /// How many questions are open.
  public let questionCount: Int
  /// The tensors that no layer was recognised for.
  public let leftOut: [String]
  /// Why the order of the layers may be another; `nil` if something decides it.
  public let doubt: String?

  /// The scaffold of a source's weights.
  ///
  /// - Parameter convention: whose names and layouts they have; `nil` if the source tells.
  /// - Throws: `usage` if there is no such convention, or the source does not tell it; `badData` if no layer is
  ///   recognised.
  public init(_ source: ReadSource, convention name: String? = nil) throws(NetconvError) {
    let tensors = NamedTensor.all(in: source.network.weights)
    let conventions = try source.conventions(of: tensors, name)
    // Kernels of dense layers are alike in PyTorch and MLX, others are not.
    guard
      conventions.count == 1
        || conventions.count == 2 && tensors.allSatisfy({ $0.shape.count <= 2 })
    else { throw .conventionNotTold(conventions.map(\.target.name)) }
    let scopes = NamedTensor.scopes(of: tensors)
    var chain = ScaffoldChain(
      scopes.order.map { scope in
        let members = (scopes.places[scope] ?? []).map { tensors[$0] }
        return (members.first?.scope ?? scope, members)
      }, conventions[0], called: source.network.name)
    doubt = chain.addAll(isOrdered: source.listsLayersInOrder(tensors)).doubt
    guard !chain.layers.isEmpty else { throw .nothingRecognized(tensors.map(\.name)) }
    text = JSONLayout.layOut(try chain.document.compact) + [0x0a]
    questionCount = chain.allQuestions.count
    leftOut = chain.leftOut
  }
}

extension ReadSource {
  /// Whether tensors are listed as the network has them, and not by their names.
  ///
  /// PyTorch's files keep the order of modules; checkpoints and safetensors are sorted.
  fileprivate func listsLayersInOrder(_ tensors: [NamedTensor]) -> Bool {
    guard format != TorchReader.format else { return true }
    let names = tensors.map(\.name)
    return zip(names, names.dropFirst()).contains { first, second in
      !first.utf8.lexicographicallyPrecedes(second.utf8)
    }
  }
}
