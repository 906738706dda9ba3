/// The effect of rules on the tensors of a source.
public struct RulesReport: Sendable, Encodable {
  /// The rules, in the order in which they were applied.
  public let rules: [Row]
  /// The tensors to which no rule applied.
  public let untouched: [String]

  /// The effect of a rule.
  public struct Row: Sendable, Encodable {
    /// The number of the rule in its file, from 1 on; `nil` for names that are left out by a request.
    public let number: Int?
    /// The tensors that it took, each with those that it made; empty if it is optional and matched none.
    public let tensors: [Change]

    init(_ number: Int?, _ tensors: [Change]) { (self.number, self.tensors) = (number, tensors) }
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
