import ModelIR
import Relations

extension RelatedPart {
  /// The meaning of a rearrangement that ports of networks often need; `nil` if it is none of those.
  ///
  /// A rotary embedding turns pairs of rows of each head: the rows of a pair lie beside each other, or in the two halves of the
  /// head. Where heads have four rows, halves and pairs look alike.
  var meaning: String? {
    guard let move = rearrangement, move.reversed.isEmpty, orders.isEmpty,
      move.source.dimensions.count == move.target.dimensions.count
    else { return nil }
    let changed = zip(move.source.dimensions, move.target.dimensions).filter { $0 != $1 }
    guard changed.count == 1, let (from, to) = changed.first, from.axes.count == 3,
      to.axes == [from.axes[0], from.axes[2], from.axes[1]]
    else { return nil }
    let sizes = from.axes.map { move.sizes[$0] ?? 1 }
    guard (sizes[1] == 2) != (sizes[2] == 2) else { return nil }
    return
      "rotary order of \(grouped(sizes[0])) heads, \(sizes[1] == 2 ? "halves to pairs" : "pairs to halves")"
  }
}

extension Relation.Outcome {
  /// The meaning of the order of several parts; `nil` if they do not repeat.
  var meaning: String? {
    guard case .related(let parts) = self, parts.count > 3,
      parts.allSatisfy({ $0.target.count == 1 && $0.target[0].axis == parts[0].target[0].axis })
    else { return nil }
    let sources = parts.sorted { $0.target[0].range.lowerBound < $1.target[0].range.lowerBound }
      .map(\.source)
    let count = Set(sources).count
    guard count > 1, sources.count > count, sources.count.isMultiple(of: count),
      Set(sources.prefix(count)).count == count,
      sources.indices.allSatisfy({ sources[$0] == sources[$0 % count] })
    else { return nil }
    return "\(count) tensors in \(grouped(sources.count / count)) groups"
  }
}
