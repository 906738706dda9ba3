/// Columns of vertices: each vertex is aligned with the middle one of its neighbours in the
/// previous layer, unless another column is in between.
struct VertexBlocks {
  /// The first vertex of each vertex's column.
  private var roots: [Int]

  init(_ view: CornerView, isNode: [Bool], conflicts: UprightConflicts) {
    roots = Array(view.places.indices)
    var hasSuccessor = [Bool](repeating: false, count: roots.count)
    for layer in view.layers.dropFirst() {
      var rightmost = -1
      for vertex in layer {
        for candidate in Self.candidates(for: vertex, view, isNode: isNode) {
          guard !hasSuccessor[candidate], view.places[candidate] > rightmost,
            !conflicts.contains(candidate, vertex)
          else { continue }
          hasSuccessor[candidate] = true
          roots[vertex] = roots[candidate]
          rightmost = view.places[candidate]
          break
        }
      }
    }
  }

  /// The neighbours to align a vertex with: the continuation of a long edge, otherwise the one or
  /// two middle neighbours.
  private static func candidates(for vertex: Int, _ view: CornerView, isNode: [Bool]) -> [Int] {
    if let passage = view.passage(before: vertex, isNode: isNode) { return [passage] }
    let count = view.neighbourCount(vertex)
    guard count > 0 else { return [] }
    let middle = (count - 1) / 2
    return (middle...(count / 2)).map { view.neighbour($0, of: vertex) }
  }

  /// The x coordinates with columns as far left as possible, then moved next to the columns at
  /// their right.
  func placed(_ view: CornerView, distance: (Int, Int) -> Double) -> [Double] {
    var lefts: [Int] = []
    var rights: [Int] = []
    var distances: [Double] = []
    for layer in view.layers {
      for (left, right) in zip(layer, layer.dropFirst()) {
        lefts.append(roots[left])
        rights.append(roots[right])
        distances.append(distance(left, right))
      }
    }
    let gaps = Array(lefts.indices)
    let leaving = Adjacency(count: roots.count, keys: lefts, values: gaps)
    let order = topologicalOrder(
      entering: Adjacency(count: roots.count, keys: rights, values: lefts),
      leaving: Adjacency(count: roots.count, keys: lefts, values: rights), count: roots.count)
    var x = [Double](repeating: 0, count: roots.count)
    for block in order {
      for gap in leaving[block] { x[rights[gap]] = max(x[rights[gap]], x[block] + distances[gap]) }
    }
    for block in order.reversed() where leaving.count(block) > 0 {
      let room = leaving[block].reduce(Double.infinity) { min($0, x[rights[$1]] - distances[$1]) }
      x[block] = max(x[block], room)
    }
    return roots.map { x[$0] }
  }
}
