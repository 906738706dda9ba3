/// The layers of an acyclic graph: each edge leads to a lower layer, whose index is greater.
struct LayerAssignment {
  /// The layer of each node.
  private(set) var layers: [Int]
  /// The number of layers.
  var count: Int { (layers.max() ?? -1) + 1 }

  /// The limit on passes that shorten edges; a pass may enable further moves.
  private static let mostPasses = 8

  private let entering: Adjacency
  private let leaving: Adjacency

  /// Assigns the layers by longest paths.
  ///
  /// Then nodes move to minimise the total length of their edges.
  init(nodeCount: Int, upper: [Int], lower: [Int]) {
    entering = Adjacency(count: nodeCount, keys: lower, values: upper)
    leaving = Adjacency(count: nodeCount, keys: upper, values: lower)
    layers = [Int](repeating: 0, count: nodeCount)
    let order = topologicalOrder(entering: entering, leaving: leaving, count: nodeCount)
    for node in order {
      for target in leaving[node] { layers[target] = max(layers[target], layers[node] + 1) }
    }
    for _ in 0..<Self.mostPasses {
      let moved = moveDown(order)
      guard moveUp(order) || moved else { break }
    }
    removeEmptyLayers()
  }

  /// Moves nodes with at least as many edges below as above next to those below.
  ///
  /// Equal counts move too, so that whole chains do.
  private mutating func moveDown(_ order: [Int]) -> Bool {
    var hasMoved = false
    for node in order.reversed() where leaving.count(node) >= max(1, entering.count(node)) {
      let layer = leaving[node].reduce(.max) { min($0, layers[$1]) } - 1
      if layer != layers[node] { hasMoved = true }
      layers[node] = layer
    }
    return hasMoved
  }

  /// Moves nodes with more edges above than below next to those above.
  private mutating func moveUp(_ order: [Int]) -> Bool {
    var hasMoved = false
    for node in order where entering.count(node) > leaving.count(node) {
      let layer = entering[node].reduce(-1) { max($0, layers[$1]) } + 1
      if layer != layers[node] { hasMoved = true }
      layers[node] = layer
    }
    return hasMoved
  }

  private mutating func removeEmptyLayers() {
    var isUsed = [Bool](repeating: false, count: count)
    for layer in layers { isUsed[layer] = true }
    var numbers: [Int] = []
    var next = 0
    for used in isUsed {
      numbers.append(next)
      if used { next += 1 }
    }
    layers = layers.map { numbers[$0] }
  }
}

/// The nodes in topological order.
func topologicalOrder(entering: Adjacency, leaving: Adjacency, count: Int) -> [Int] {
  var waiting = (0..<count).map { entering.count($0) }
  var order = (0..<count).filter { waiting[$0] == 0 }
  var next = 0
  while next < order.count {
    for target in leaving[order[next]] {
      waiting[target] -= 1
      if waiting[target] == 0 { order.append(target) }
    }
    next += 1
  }
  return order
}
