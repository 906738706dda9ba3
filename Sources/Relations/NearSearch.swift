import ModelIR
import Processor

/// The search for tensors that have nearly all their values from another tensor, or from a
/// concatenation.
struct NearSearch {
  private let a: [RelatedTensor]

  /// The limit on the candidates of a size.
  private static let mostCandidates = 64

  /// The largest tensor that is compared with all others of its size.
  static let smallTensor = 1 << 16

  init(_ a: [RelatedTensor]) { self.a = a }

  /// A whole tensor, rearranged, with few differing values; `nil` unless the nearest tensor and
  /// rearrangement are unique.
  func whole(
    _ tensor: RelatedTensor, among candidates: [Int]
  ) throws(NetconvError) -> Relation.Outcome? {
    var found: [(part: RelatedPart, discrepancy: Discrepancy)] = []
    for candidate in candidates.filter({ a[$0].count == tensor.count }).prefix(Self.mostCandidates)
    {
      guard let near = try PairSearch(a[candidate], tensor, .exact).nearest() else { continue }
      found.append(
        (RelatedPart(source: candidate, rearrangement: near.rearrangement), near.discrepancy))
    }
    guard let best = found.min(by: { $0.discrepancy.count < $1.discrepancy.count }),
      found.count(where: { $0.discrepancy.count == best.discrepancy.count }) == 1
    else { return nil }
    return .nearly([best.part], best.discrepancy)
  }

  /// A concatenation of rearranged tensors with few differing values; `nil` if there is none.
  func joined(
    _ tensor: RelatedTensor, _ runs: [LineSearch.Run]
  ) throws(NetconvError) -> Relation.Outcome? {
    guard let sections = try tensor.sections(of: runs) else { return nil }
    let strides = rowMajorStrides(of: tensor.shape)
    var parts: [RelatedPart] = []
    var all: Discrepancy?
    for (target, section, source) in sections {
      guard let source else {
        parts.append(RelatedPart(target: [target], source: nil))
        continue
      }
      guard a[source].count == section.count else { return nil }
      let search = try PairSearch(a[source], section, .exact)
      let exact = try search.arrangements()
      guard exact.count < 2 else { return nil }
      if let move = exact.first {
        parts.append(RelatedPart(target: [target], source: source, rearrangement: move))
        continue
      }
      guard let near = try search.nearest() else { return nil }
      parts.append(RelatedPart(target: [target], source: source, rearrangement: near.rearrangement))
      // From the index in the section to that in the whole tensor.
      let stride = strides[target.axis]
      let (row, rest) = near.discrepancy.index.quotientAndRemainder(
        dividingBy: stride * target.range.count)
      var discrepancy = near.discrepancy
      discrepancy.index =
        row * stride * tensor.shape[target.axis] + target.range.lowerBound * stride + rest
      all = all.map { $0.adding(discrepancy) } ?? discrepancy
    }
    return all.map { .nearly(parts, $0) }
  }
}
