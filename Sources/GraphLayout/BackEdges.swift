/// The edges to reverse so that no cycle remains: the back edges of a depth-first search.
///
/// A graph without cycles has none. The search starts at nodes without incoming edges. Self-loops
/// are not allowed.
func backEdges(nodeCount: Int, edges: [DirectedGraph.Edge]) -> [Bool] {
  let leaving = Adjacency(
    count: nodeCount, keys: edges.map(\.source), values: Array(edges.indices))
  var isEntered = [Bool](repeating: false, count: nodeCount)
  for edge in edges { isEntered[edge.target] = true }

  enum State { case new, open, done }
  var states = [State](repeating: .new, count: nodeCount)
  var isBack = [Bool](repeating: false, count: edges.count)
  // The open nodes, each with the number of edges that were followed: an explicit stack instead of
  // recursion.
  var path: [(node: Int, next: Int)] = []
  func search(from start: Int) {
    guard states[start] == .new else { return }
    states[start] = .open
    path.append((start, 0))
    while let (node, next) = path.last {
      let range = leaving.range(node)
      guard next < range.count else {
        states[node] = .done
        path.removeLast()
        continue
      }
      path[path.count - 1].next += 1
      let edge = leaving.items[range.lowerBound + next]
      let target = edges[edge].target
      switch states[target] {
      case .new:
        states[target] = .open
        path.append((target, 0))
      case .open: isBack[edge] = true
      case .done: break
      }
    }
  }
  for node in 0..<nodeCount where !isEntered[node] { search(from: node) }
  for node in 0..<nodeCount { search(from: node) }
  return isBack
}
