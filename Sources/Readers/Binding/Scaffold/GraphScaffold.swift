import Documents
import ModelIR
import Operators

/// A draft of `model.json` for weights without a graph, based on names, shapes and the order of the source.
///
/// Everything that they do not determine is an open question for the user. The layers form a chain in the order of
/// the source. The user edits the inputs of layers in networks with branches.
public struct GraphScaffold: Sendable {
  /// The placeholder for a value that the user must supply.
  public static let question = "?"
  /// The key of the questions and guesses, which are not part of the network.
  static let notesKey = "scaffold"

  /// The document as JSON.
  public let text: [UInt8]
  /// The number of open questions.
  public let questionCount: Int
  /// The tensors without a recognised layer.
  public let leftOut: [String]
  /// The reason why the order of the layers is uncertain; `nil` if it is not.
  public let doubt: String?

  /// Creates the scaffold of a source's weights.
  ///
  /// - Parameter convention: The convention of the weights; `nil` to infer it from the source.
  /// - Throws: `usage` if the convention does not exist or cannot be inferred; `badData` if no layer is recognised.
  public init(_ source: ReadSource, convention name: String? = nil) throws(NetconvError) {
    let tensors = NamedTensor.all(in: source.network.weights)
    let conventions = try source.conventions(of: tensors, name)
    // PyTorch and MLX store dense kernels alike, but not other kernels.
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
  /// Returns true if tensors are listed in the order of the network rather than by name.
  ///
  /// PyTorch files keep the order of modules; checkpoints and safetensors are sorted.
  fileprivate func listsLayersInOrder(_ tensors: [NamedTensor]) -> Bool {
    guard format != TorchReader.format else { return true }
    let names = tensors.map(\.name)
    return zip(names, names.dropFirst()).contains { first, second in
      !first.utf8.lexicographicallyPrecedes(second.utf8)
    }
  }
}

extension NetconvError {
  fileprivate static func nothingRecognized(_ names: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "no layer was recognised by names and shapes; the tensors are \(SourceNote.list(names))")
  }
}
