extension Vertex {
  /// Returns `outputs` and all vertices that they depend on, in topological order.
  static func order(upTo outputs: [Vertex]) -> [Vertex] {
    var order: [Vertex] = []
    var seen: Set<ObjectIdentifier> = []
    // An explicit stack: a network may be deeper than the thread's stack allows.
    var pending: [(vertex: Vertex, next: Int)] = []
    for output in outputs where seen.insert(ObjectIdentifier(output)).inserted {
      pending.append((output, 0))
      while let (vertex, next) = pending.last {
        guard next < vertex.inputs.count else {
          order.append(vertex)
          pending.removeLast()
          continue
        }
        pending[pending.count - 1].next += 1
        let input = vertex.inputs[next]
        if seen.insert(ObjectIdentifier(input)).inserted { pending.append((input, 0)) }
      }
    }
    return order
  }
}
