/// The order of the vertices in each layer, and the segments between them.
struct LayerOrder {
  /// The vertices of each layer from left to right.
  private(set) var layers: [[Int]]
  /// The position of each vertex in its layer.
  private(set) var places: [Int]
  /// The neighbours of each vertex in the layers above and below, from left to right.
  private(set) var above: Adjacency
  private(set) var below: Adjacency

  /// Creates the order of a depth-first search from the uppermost vertices, which keeps connected
  /// vertices together.
  init(_ vertices: LayeredVertices) {
    above = Adjacency(
      count: vertices.count, keys: vertices.segmentLower, values: vertices.segmentUpper)
    below = Adjacency(
      count: vertices.count, keys: vertices.segmentUpper, values: vertices.segmentLower)
    layers = Array(repeating: [], count: vertices.layerCount)
    places = [Int](repeating: -1, count: vertices.count)
    var starts = Array(0..<vertices.count)
    starts.sort { (vertices.layerOf[$0], $0) < (vertices.layerOf[$1], $1) }
    var pending: [Int] = []
    for start in starts where places[start] < 0 {
      pending.append(start)
      while let vertex = pending.popLast() {
        guard places[vertex] < 0 else { continue }
        let layer = vertices.layerOf[vertex]
        places[vertex] = layers[layer].count
        layers[layer].append(vertex)
        for lower in below[vertex].reversed() where places[lower] < 0 { pending.append(lower) }
      }
    }
    sortNeighbours()
  }

  /// Sets the order of the vertices in a layer.
  mutating func setOrder(_ order: [Int], ofLayer layer: Int) {
    layers[layer] = order
    for (place, vertex) in order.enumerated() { places[vertex] = place }
  }

  /// Exchanges a vertex with its right neighbour.
  mutating func exchange(at place: Int, ofLayer layer: Int) {
    layers[layer].swapAt(place, place + 1)
    places[layers[layer][place]] = place
    places[layers[layer][place + 1]] = place + 1
  }

  /// Sorts the neighbours of each vertex by position.
  mutating func sortNeighbours() {
    above.sort(by: places)
    below.sort(by: places)
  }

  /// Sorts the neighbours of the vertices above and below a changed layer.
  mutating func sortNeighbours(of layer: Int) {
    if layer > 0 {
      for vertex in layers[layer - 1] { below.sort(vertex, by: places) }
    }
    if layer + 1 < layers.count {
      for vertex in layers[layer + 1] { above.sort(vertex, by: places) }
    }
  }

  /// The number of crossing pairs of segments.
  func crossings() -> Int {
    var total = 0
    for layer in layers.indices.dropFirst() { total += crossings(above: layer) }
    return total
  }

  /// The number of crossing pairs of segments between a layer and the one above it.
  func crossings(above layer: Int) -> Int {
    guard layers[layer].count > 1, layers[layer - 1].count > 1 else { return 0 }
    var lowerPlaces: [Int] = []
    for upper in layers[layer - 1] {
      let start = lowerPlaces.count
      for lower in below[upper] { lowerPlaces.append(places[lower]) }
      if lowerPlaces.count - start > 1 { lowerPlaces[start...].sort() }
    }
    return inversions(of: lowerPlaces, below: layers[layer].count)
  }
}

/// The number of inversions in a list of numbers below `limit`.
///
/// Method: Barth, Jünger and Mutzel (2002), "Simple and efficient bilayer cross counting": a tree
/// of sums.
package func inversions(of numbers: [Int], below limit: Int) -> Int {
  guard numbers.count > 1 else { return 0 }
  var firstLeaf = 1
  while firstLeaf < limit { firstLeaf *= 2 }
  var sums = [Int](repeating: 0, count: 2 * firstLeaf)
  var total = 0
  for number in numbers {
    var node = firstLeaf + number
    while node > 1 {
      sums[node] += 1
      if node & 1 == 0 { total += sums[node + 1] }
      node /= 2
    }
    sums[1] += 1
  }
  return total
}
