/// Exchanges of adjacent vertices that reduce the number of crossings.
enum Exchanges {
  private static let mostRounds = 4
  /// The limit on neighbours visited, which bounds the time for layers with many segments.
  private static let mostLooks = 400_000

  /// Exchanges adjacent vertices while that reduces crossings.
  ///
  /// The neighbours have to be sorted, and remain sorted.
  static func improve(_ order: inout LayerOrder) {
    var looks = 0
    // Unchanged layers need not be visited again.
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

  /// The number of crossings saved by exchanging two adjacent vertices.
  private static func gain(_ neighbours: Adjacency, _ left: Int, _ right: Int, _ places: [Int])
    -> Int
  {
    // A pair crosses now if the left vertex's neighbour is further right; after the exchange, the
    // other pairs would cross.
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
