/// Exchanges of vertices side by side that lead to fewer crossings.
enum Exchanges {
  private static let mostRounds = 4
  /// Looks at a neighbour, all together: what layers with very many segments may cost.
  private static let mostLooks = 400_000

  /// Exchanges vertices as long as that helps.
  ///
  /// Needs sorted neighbours, and leaves them sorted.
  static func improve(_ order: inout LayerOrder) {
    var looks = 0
    // What has not changed since it was last looked at does not need another look.
    var isStale = order.layers.map { $0.count > 1 }
    for _ in 0..<mostRounds {
      var hasImproved = false
      for layer in order.layers.indices where isStale[layer] && looks < mostLooks {
        isStale[layer] = false
        guard hasCrossings(order, at: layer) else { continue }
        if improve(&order, layer: layer, looks: &looks) {
          hasImproved = true
          for near in max(0, layer - 1)...min(layer + 1, order.layers.count - 1) {
            isStale[near] = order.layers[near].count > 1
          }
        }
      }
      guard hasImproved, looks < mostLooks else { break }
    }
  }

  private static func hasCrossings(_ order: LayerOrder, at layer: Int) -> Bool {
    (layer > 0 && order.crossings(above: layer) > 0)
      || (layer + 1 < order.layers.count && order.crossings(above: layer + 1) > 0)
  }

  private static func improve(_ order: inout LayerOrder, layer: Int, looks: inout Int) -> Bool {
    var hasImproved = false
    for place in 0..<(order.layers[layer].count - 1) {
      let (left, right) = (order.layers[layer][place], order.layers[layer][place + 1])
      looks += order.above.count(left) + order.above.count(right)
      looks += order.below.count(left) + order.below.count(right)
      let gain =
        gain(order.above, left, right, order.places) + gain(order.below, left, right, order.places)
      guard gain > 0 else { continue }
      order.exchange(at: place, ofLayer: layer)
      hasImproved = true
    }
    if hasImproved { order.sortNeighbours(of: layer) }
    return hasImproved
  }

  /// How many crossings fewer there are between the segments of two vertices side by side once they are exchanged.
  private static func gain(_ neighbours: Adjacency, _ left: Int, _ right: Int, _ places: [Int])
    -> Int
  {
    // Pairs with the left one's neighbour further right cross now, those with the right one's would.
    var (gain, smaller, equal) = (
      0, neighbours.range(right).lowerBound, neighbours.range(right).lowerBound
    )
    let range = neighbours.range(right)
    for neighbour in neighbours[left] {
      let place = places[neighbour]
      while smaller < range.upperBound, places[neighbours.items[smaller]] < place { smaller += 1 }
      equal = max(equal, smaller)
      while equal < range.upperBound, places[neighbours.items[equal]] == place { equal += 1 }
      gain += (smaller - range.lowerBound) - (range.upperBound - equal)
    }
    return gain
  }
}
