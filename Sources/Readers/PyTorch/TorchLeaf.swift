import ModelIR
import Pickles

/// A tensor of a file, with the way to it from the file's outermost value.
struct TorchLeaf: Sendable {
  /// What it is; indirect, since leaves are copied from list to list.
  indirect enum Content: Sendable {
    case tensor(TorchTensor)
    case array(PickledArray)
    /// What netconv does not read, and why.
    case refused(NetconvError)
  }

  /// The names of the dictionaries around it, from the outside in, and its own.
  let path: [String]
  let content: Content
  /// How many names lead to the dictionary, list or module that it belongs to.
  let ownerDepth: Int
  /// What it is, if it is no weight, and how many names lead to what says so.
  let mark: (role: TorchRole, depth: Int)?

  /// Whether it is more than a single value.
  var isLarge: Bool {
    switch content {
    case .tensor(let tensor): tensor.count > 1
    case .array(let array): array.shape.contains { $0 != 1 }
    case .refused: true
    }
  }

  /// Whether it is an array of NumPy, such as what a training loop notes down.
  var isArray: Bool { if case .array = content { true } else { false } }

  var owner: ArraySlice<String> { path[..<ownerDepth] }
}

/// What a tensor in a file is, if it is no weight.
enum TorchRole: String, Sendable, Hashable, CaseIterable {
  /// What an optimizer keeps.
  case optimizer
  /// Where random numbers go on.
  case random
  /// What a module does not save itself.
  case unsaved
  /// Numbers that a network counts with, places and masks.
  case buffer
  /// What lies beside the weights.
  case other

  /// In messages, of several.
  var plural: String {
    switch self {
    case .optimizer: "tensors of an optimizer"
    case .random: "states of random generators"
    case .unsaved: "buffers that the module does not save"
    case .buffer: "buffers of integers"
    case .other: "tensors beside the weights"
    }
  }

  /// What the name of a dictionary, list or tensor says of it.
  ///
  /// Source: lightning/pytorch/trainer/connectors/checkpoint_connector.py, `dump_checkpoint`; the training loops of
  /// fairseq, timm and YOLOv5.
  static func of(name: String, isTensor: Bool) -> TorchRole? {
    let name = name.lowercased()
    if name.hasSuffix("rng_state") || name.hasSuffix("random_state") { return .random }
    // A tensor is no optimizer's, whatever its layer is called; nor is what is optimal.
    guard !isTensor else { return nil }
    let isOptimizer =
      name.hasPrefix("optimizer") || name.hasSuffix("optimizer")
      || name.split(separator: "_").contains("optim")
    return isOptimizer ? .optimizer : nil
  }
}
