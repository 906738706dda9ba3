import ModelIR

/// The wording of what a comparison notes.
enum DiffMessages {
  static func renamed(_ a: String, _ b: String) -> String {
    "\(escaped(a)) is called \(escaped(b)) in B"
  }

  static func graphsNotCompared(_ without: [String]) -> String {
    (without.count == 2
      ? "A and B hold weights without a graph that netconv can read"
      : "\(without.joined()) holds weights without a graph that netconv can read")
      + "; only tensors were compared"
  }

  static func otherOrder(_ tensor: String, _ order: String) -> String {
    "\(escaped(tensor)) is equal with what a flatten has merged in the order \(order)"
  }
}
