/// Which edges have to be turned round so that no cycle is left: those that a search in depth finds to lead back.
///
/// Of a graph without cycles none is. Nodes that no edge leads to come first. Edges from a node to itself are not allowed.
func backEdges(nodeCount: Int, edges: [DirectedGraph.Edge]) -> [Bool] {
  let leaving = Adjacency(
    count: nodeCount, keys: edges.map(\.source), values: Array(edges.indices))
  var isEntered = [Bool](repeating: false, count: nodeCount)
  for edge in edges { isEntered[edge.target] = true }

  enum State { case new, open, done }
  var states = [State](repeating: .new, count: nodeCount)
  var isBack = [Bool](repeating: false, count: edges.count)
  // An open node, and how many of its edges were followed: what recursion would keep.
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
