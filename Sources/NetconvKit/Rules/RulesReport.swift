/// The effect of rules on the tensors of a source.
public struct RulesReport: Sendable, Encodable {
  /// The rules, in the order in which they were applied.
  public let rules: [Row]
  /// The tensors to which no rule applied.
  public let untouched: [String]

  /// The effect of a rule.
  public struct Row: Sendable, Encodable {
    /// The tensors that it took, each with those that it made.
    public let tensors: [Change]

    init(_ tensors: [Change]) { self.tensors = tensors }
  }

  /// Tensors that became others.
  public struct Change: Sendable, Encodable {
    /// The names of the tensors that were taken.
    public let from: [String]
    /// The names of the tensors that were made; empty if they were left out.
    public let to: [String]

    init(from: [String], to: [String]) { (self.from, self.to) = (from, to) }
  }
}
