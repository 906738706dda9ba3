/// The segments that cross a long edge.
///
/// The long edge stays vertical, so the ends of these segments must not share a column.
struct UprightConflicts {
  private let conflicts: Set<Segment>

  private struct Segment: Hashable {
    let upper: Int
    let lower: Int
  }

  init(_ order: LayerOrder, isNode: [Bool]) {
    var conflicts: Set<Segment> = []
    for layer in order.layers.indices.dropFirst() {
      let lower = order.layers[layer]
      var firstPending = 0
      var leftLimit = 0
      for (place, vertex) in lower.enumerated() {
        let passage = isNode[vertex] ? nil : order.above[vertex].first { !isNode[$0] }
        guard passage != nil || place == lower.count - 1 else { continue }
        let rightLimit = passage.map { order.places[$0] } ?? order.layers[layer - 1].count
        for pending in lower[firstPending...place] {
          let isPassage = !isNode[pending]
          for upper in order.above[pending] {
            guard order.places[upper] < leftLimit || order.places[upper] > rightLimit,
              !(isPassage && !isNode[upper])
            else { continue }
            conflicts.insert(Segment(upper: upper, lower: pending))
          }
        }
        firstPending = place + 1
        leftLimit = rightLimit
      }
    }
    self.conflicts = conflicts
  }

  /// True if the segment between two vertices, in either order, crosses a long edge.
  func contains(_ first: Int, _ second: Int) -> Bool {
    !conflicts.isEmpty
      && (conflicts.contains(Segment(upper: first, lower: second))
        || conflicts.contains(Segment(upper: second, lower: first)))
  }
}
