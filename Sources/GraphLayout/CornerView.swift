/// The layers as one of the four corners sees them: from below, or with right and left exchanged.
struct CornerView {
  /// The vertices of each layer, the first layer first.
  let layers: [[Int]]
  /// The place of each vertex in its layer.
  let places: [Int]
  /// The vertices in the layer before that a segment joins with each one.
  private let neighbours: Adjacency
  private let leftwards: Bool

  init(_ order: LayerOrder, upwards: Bool, leftwards: Bool) {
    let turned = upwards ? Array(order.layers.reversed()) : order.layers
    layers = leftwards ? turned.map { $0.reversed() } : turned
    var places = order.places
    if leftwards {
      for layer in layers {
        for (place, vertex) in layer.enumerated() { places[vertex] = place }
      }
    }
    self.places = places
    neighbours = upwards ? order.below : order.above
    self.leftwards = leftwards
  }

  /// How many neighbours a vertex has in the layer before.
  func neighbourCount(_ vertex: Int) -> Int { neighbours.count(vertex) }

  /// A neighbour in the layer before, counted from the left.
  func neighbour(_ index: Int, of vertex: Int) -> Int {
    let range = neighbours.range(vertex)
    return neighbours.items[leftwards ? range.upperBound - 1 - index : range.lowerBound + index]
  }

  /// The part of a long edge that a vertex continues.
  func passage(before vertex: Int, isNode: [Bool]) -> Int? {
    guard !isNode[vertex] else { return nil }
    return neighbours[vertex].first { !isNode[$0] }
  }
}
