import ModelIR
import Relations

extension RelateReport {
  /// The quantised tensors of B, by what their codes say of the tensors of A.
  public struct QuantizedTensors: Sendable, Encodable {
    /// The number of tensors that A gives with the same scales and codes when it is quantised again.
    public let requantized: Int
    /// The number of tensors of which each code is the nearest on its grid.
    public let nearest: Int
    /// Tensors of which each code is at most one step away, but some are not the nearest: A may be their source, and so may
    /// other weights close to it.
    public let consistent: [String]
    /// Tensors of which each code is the nearest, but too few values tell A from weights that differ by 0.0001 of themselves.
    public let tooFewValues: [String]
    /// Tensors without a relation, of a form of which the grid is unknown, or with rows that are too short.
    public let notJudged: [String]

    init?(_ relations: WeightRelations, to tensors: [RelatedTensor], _ kinds: [String?]) {
      var (requantized, nearest) = (0, 0)
      var (consistent, tooFew, open): ([String], [String], [String]) = ([], [], [])
      for relation in relations.tensors where kinds[relation.tensor] != nil {
        let tensor = tensors[relation.tensor]
        switch relation.outcome.quantization {
        case let found? where found.verdict == .requantized: requantized += 1
        case let found? where found.verdict == .nearest:
          nearest += 1
          if !found.excludesChange { tooFew.append(tensor.name) }
        case .some: consistent.append(tensor.name)
        case nil:
          if case .unrelated = relation.outcome, !tensor.isJudgedThroughQuantization {
            open.append(tensor.name)
          }
        }
      }
      guard requantized + nearest + consistent.count + open.count > 0 else { return nil }
      (self.requantized, self.nearest, self.consistent) = (requantized, nearest, consistent)
      (tooFewValues, notJudged) = (tooFew, open)
    }
  }

  /// The numbers of tensors that were compared by more than values.
  public struct Judged: Sendable, Encodable {
    /// The number of tensors of B that were compared with siblings, whose names differ in numbers alone.
    public let siblings: Int
    /// The number of related tensors of B that have fewer than two siblings of their shape, so that none can be told to be
    /// made otherwise.
    public let withoutSiblings: Int

    init(_ entries: [Entry]) {
      let compared = RelateReport.siblings(in: entries)
      siblings = compared.count
      withoutSiblings = entries.count { $0.status == .related } - compared.count
    }
  }
}

extension Relation.Outcome {
  /// The verdict of the codes of a quantised tensor; `nil` if it is none, or has no source.
  package var quantization: Quantization? {
    guard case .related(let parts) = self, case .quantized(let found)? = parts.first?.likeness
    else { return nil }
    return found
  }
}
