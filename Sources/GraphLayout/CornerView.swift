/// The layers as seen from one of the four corners: upside down, or with left and right exchanged.
struct CornerView {
  /// The vertices of each layer, in the order of the layers.
  let layers: [[Int]]
  /// The position of each vertex in its layer.
  let places: [Int]
  /// The vertices in the previous layer that are connected to each vertex.
  private let neighbours: Adjacency
  private let leftwards: Bool

  init(_ order: LayerOrder, upwards: Bool, leftwards: Bool) {
    let mirrored = upwards ? Array(order.layers.reversed()) : order.layers
    layers = leftwards ? mirrored.map { $0.reversed() } : mirrored
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

  /// The number of a vertex's neighbours in the previous layer.
  func neighbourCount(_ vertex: Int) -> Int { neighbours.count(vertex) }

  /// A neighbour in the previous layer, counted from the left.
  func neighbour(_ index: Int, of vertex: Int) -> Int {
    let range = neighbours.range(vertex)
    return neighbours.items[leftwards ? range.upperBound - 1 - index : range.lowerBound + index]
  }

  /// The vertex of the previous layer in the same long edge.
  func passage(before vertex: Int, isNode: [Bool]) -> Int? {
    guard !isNode[vertex] else { return nil }
    return neighbours[vertex].first { !isNode[$0] }
  }
}
