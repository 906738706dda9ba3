import ModelIR

/// The wording of what a comparison notes.
enum DiffMessages {
  static func renamed(_ a: String, _ b: String) -> Message {
    "\(escaped(a)) is called \(escaped(b)) in B"
  }

  static func graphsNotCompared(_ without: [String]) -> Message {
    (without.count == 2
      ? "A and B hold weights without a graph that netconv can read"
      : "\(without.joined()) holds weights without a graph that netconv can read")
      + "; only tensors were compared"
  }

  static func folded(_ name: String, _ count: Int, other: String) -> Message {
    "\(name) was folded when it was converted: \(grouped(count)) \(count == 1 ? "layer" : "layers") went into the "
      + "kernels before them; \(.folds) folds \(other) the same way first"
  }

  static func moved(_ a: String, _ b: String, _ pattern: String) -> Message {
    "\(escaped(b)) of B has the values of \(escaped(a)), moved: \(pattern); netconv relate A B says how it should lie"
  }

  static let nothingToFold: Message = "neither A nor B has anything to fold"

  static let tryVerification: Message =
    "netconv verify B \(.against) A shows what the differences do to each layer, and to the outputs"

  static func bothNotFinite(_ tensor: String, _ nonFinite: Int, of count: Int) -> Message {
    "\(escaped(tensor)): \(grouped(nonFinite)) of \(grouped(count)) values are not finite, the same in both"
  }

  static func zeroBias(_ tensor: Tensor, in name: String, other: String) -> Message {
    "\(escaped("\(tensor.layer) \(tensor.spec.role)")) is zeros in \(name), and \(other) has none: both compute the same"
  }

  static func otherOrder(_ tensor: String, _ order: String) -> Message {
    "\(escaped(tensor)) is equal with what a flatten has merged in the order \(order)"
  }
}
