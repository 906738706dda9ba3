import ModelIR
import Pickles

/// A tensor of a file, with the path to it from the root value.
struct TorchLeaf: Sendable {
  /// The kind of tensor; indirect, because leaves are copied between lists.
  indirect enum Content: Sendable {
    case tensor(TorchTensor)
    case array(PickledArray)
    /// An unsupported tensor, with the reason.
    case refused(NetconvError)
  }

  /// The names of the enclosing collections, outermost first, and its own name.
  let path: [String]
  let content: Content
  /// The length of the path to the enclosing dictionary, list or module.
  let ownerDepth: Int
  /// The role if it is not a weight, and the length of the path to the object that determines the role.
  let mark: (role: TorchRole, depth: Int)?

  /// True if it has more than one value.
  var isLarge: Bool {
    switch content {
    case .tensor(let tensor): tensor.count > 1
    case .array(let array): array.shape.contains { $0 != 1 }
    case .refused: true
    }
  }

  /// True if it is a NumPy array, such as the log of a training loop.
  var isArray: Bool { if case .array = content { true } else { false } }

  var owner: ArraySlice<String> { path[..<ownerDepth] }
}

/// The role of a tensor that is not a weight.
enum TorchRole: String, Sendable, Hashable, CaseIterable {
  /// State of an optimizer.
  case optimizer
  /// State of a random number generator.
  case random
  /// A buffer that its module does not save.
  case unsaved
  /// A buffer of integers, such as indices and masks.
  case buffer
  /// Other data stored with the weights.
  case other

  /// The plural in messages.
  var plural: String {
    switch self {
    case .optimizer: "tensors of an optimizer"
    case .random: "states of random generators"
    case .unsaved: "buffers that the module does not save"
    case .buffer: "buffers of integers"
    case .other: "tensors beside the weights"
    }
  }

  /// Returns the role that the name of a collection or tensor implies.
  ///
  /// Source: lightning/pytorch/trainer/connectors/checkpoint_connector.py, `dump_checkpoint`; the training loops of
  /// fairseq, timm and YOLOv5.
  static func of(name: String, isTensor: Bool) -> TorchRole? {
    let name = name.lowercased()
    if name.hasSuffix("rng_state") || name.hasSuffix("random_state") { return .random }
    // The names of tensors do not count, since a layer can have any name; nor do words such as "optimal".
    guard !isTensor else { return nil }
    let isOptimizer =
      name.hasPrefix("optimizer") || name.hasSuffix("optimizer")
      || name.split(separator: "_").contains("optim")
    return isOptimizer ? .optimizer : nil
  }
}
