import ModelIR
import Processor

/// What tensors are that have nearly all of their values from another, or from several that were put together.
struct NearSearch {
  private let a: [RelatedTensor]

  /// Of more tensors of a size not all are tried.
  private static let mostCandidates = 64

  /// Tensors of at most so many values are compared with all of their size.
  static let smallTensor = 1 << 16

  init(_ a: [RelatedTensor]) { self.a = a }

  /// A whole tensor, moved, in which few values are others; `nil` unless one tensor and one move are the nearest.
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

  /// Tensors that were put together along an axis, each moved, with few values others; `nil` if they are none.
  func joined(
    _ tensor: RelatedTensor, _ runs: [LineSearch.Run]
  ) throws(NetconvError) -> Relation.Outcome? {
    let axes = tensor.shape.indices.filter { tensor.shape[$0] != 1 }
    let strides = rowMajorStrides(of: tensor.shape)
    var parts: [RelatedPart] = []
    var all: Discrepancy?
    for run in runs {
      let target = RelatedPart.Section(axis: axes[run.axis], range: run.range)
      let section = tensor.section(target)
      guard let source = run.tensor else {
        guard try section.isZero() else { return nil }
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
      // From the place in the part to the one in the whole tensor.
      let stride = strides[target.axis]
      let (row, rest) = near.discrepancy.index.quotientAndRemainder(
        dividingBy: stride * run.range.count)
      var discrepancy = near.discrepancy
      discrepancy.index =
        row * stride * tensor.shape[target.axis] + run.range.lowerBound * stride + rest
      all = all.map { $0.adding(discrepancy) } ?? discrepancy
    }
    return all.map { .nearly(parts, $0) }
  }
}
