/// Columns at the right of all layers for trunks that bypass the layers; trunks that overlap
/// vertically have different columns.
struct Lanes {
  /// The lane of each trunk, counted from the left; `nil` for a trunk inside the layers.
  private(set) var laneOf: [Int?]
  /// The number of lanes.
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
