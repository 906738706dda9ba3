/// Columns at the right of all layers for trunks that go round: two that pass a layer together have different ones.
struct Lanes {
  /// The lane of each trunk, counted from the left; `nil` of one that does not go round.
  private(set) var laneOf: [Int?]
  /// How many there are.
  private(set) var count = 0

  init(_ trunks: [LayeredVertices.Trunk], layerCount: Int) {
    laneOf = Array(repeating: nil, count: trunks.count)
    let round = trunks.indices.filter { trunks[$0].firstVertex == nil }
    let starting = Adjacency(
      count: layerCount, keys: round.map { trunks[$0].layers.lowerBound }, values: round)
    let ending = Adjacency(
      count: layerCount, keys: round.map { trunks[$0].layers.upperBound }, values: round)
    var free: [Int] = []
    for layer in 0..<layerCount {
      for trunk in starting[layer] {
        if let lane = free.popLast() {
          laneOf[trunk] = lane
        } else {
          laneOf[trunk] = count
          count += 1
        }
      }
      for trunk in ending[layer] {
        if let lane = laneOf[trunk] { free.append(lane) }
      }
    }
  }
}
