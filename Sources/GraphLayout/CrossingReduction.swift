/// Orders of the layers with few crossings.
///
/// Sweeps down and up place each vertex next to its neighbours; exchanges of adjacent vertices
/// improve the result.
struct CrossingReduction {
  /// The best order found.
  private(set) var best: LayerOrder
  /// The number of crossing pairs of segments in the best order.
  private(set) var crossings: Int

  /// The number of sweeps without improvement after which the search ends.
  private static let mostFutileSweeps = 4
  private static let mostSweeps = 24
  /// The limit on the segments of all sweeps, which bounds the time for large graphs.
  private static let mostWork = 1_000_000

  init(_ order: LayerOrder) {
    best = order
    crossings = order.crossings()
    let segments = max(1, order.below.items.count)
    let sweeps = max(2, min(Self.mostSweeps, Self.mostWork / segments))
    var order = order
    var futile = 0
    for sweep in 0..<sweeps where crossings > 0 && futile < Self.mostFutileSweeps {
      Self.sweep(&order, down: sweep % 2 == 0, median: sweep % 4 >= 2)
      order.sortNeighbours()
      Exchanges.improve(&order)
      let found = order.crossings()
      futile += 1
      if found < crossings {
        (best, crossings, futile) = (order, found, 0)
      }
    }
    best.sortNeighbours()
  }

  private static func sweep(_ order: inout LayerOrder, down: Bool, median: Bool) {
    let layers = down ? Array(order.layers.indices) : order.layers.indices.reversed()
    for layer in layers.dropFirst() where order.layers[layer].count > 1 {
      let vertices = order.layers[layer]
      let ranked = vertices.map { vertex in
        let neighbours = down ? order.above[vertex] : order.below[vertex]
        return (vertex: vertex, rank: rank(of: neighbours.map { order.places[$0] }, median: median))
      }
      order.setOrder(sorted(ranked), ofLayer: layer)
    }
  }

  /// The mean or median of the neighbours' positions; `nil` without a neighbour.
  private static func rank(of places: [Int], median: Bool) -> Double? {
    guard !places.isEmpty else { return nil }
    guard median, places.count > 2 else {
      return Double(places.reduce(0, +)) / Double(places.count)
    }
    let sorted = places.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1
      ? Double(sorted[middle]) : Double(sorted[middle - 1] + sorted[middle]) / 2
  }

  /// Sorts the vertices by rank; vertices without a rank keep their positions, and equal ranks
  /// their order.
  private static func sorted(_ ranked: [(vertex: Int, rank: Double?)]) -> [Int] {
    var movable: [(vertex: Int, rank: Double, place: Int)] = []
    for (place, item) in ranked.enumerated() {
      if let rank = item.rank { movable.append((item.vertex, rank, place)) }
    }
    movable.sort { ($0.rank, $0.place) < ($1.rank, $1.place) }
    var next = 0
    return ranked.map { item in
      guard item.rank != nil else { return item.vertex }
      defer { next += 1 }
      return movable[next].vertex
    }
  }
}
