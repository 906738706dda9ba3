import GraphLayout
import Testing

@Suite struct DrawingTests {
  private let spacing = LayoutSpacing(nodes: 20, layers: 30, edges: 10)

  @Test func `every graph without cycles of up to five nodes is drawn downwards`() {
    for count in 1...5 {
      let pairs = (0..<count).flatMap { low in ((low + 1)..<count).map { (low, $0) } }
      for subset in 0..<(1 << pairs.count) {
        let edges = pairs.indices.filter { subset >> $0 & 1 == 1 }.map { pairs[$0] }
        let check = DrawingCheck(graph(count, edges), spacing)
        #expect(check.faults == [], "\(count) nodes, \(edges)")
        #expect(check.upwardEdges == [], "\(count) nodes, \(edges)")
      }
    }
  }

  @Test func `every graph of three nodes is drawn, with loops and cycles`() {
    let pairs = (0..<3).flatMap { source in (0..<3).map { (source, $0) } }
    for subset in 0..<(1 << pairs.count) {
      let edges = pairs.indices.filter { subset >> $0 & 1 == 1 }.map { pairs[$0] }
      #expect(DrawingCheck(graph(3, edges), spacing).faults == [], "\(edges)")
    }
  }

  @Test func `every graph of four nodes is drawn, with cycles`() {
    let pairs = (0..<4).flatMap { source in (0..<4).map { (source, $0) } }.filter { $0.0 != $0.1 }
    for subset in 0..<(1 << pairs.count) {
      let edges = pairs.indices.filter { subset >> $0 & 1 == 1 }.map { pairs[$0] }
      let check = DrawingCheck(graph(4, edges), spacing)
      #expect(check.faults == [], "\(edges)")
      // No cycle is left when those that lead up are taken away; each of them closes one.
      #expect(isAcyclic(4, edges) == check.upwardEdges.isEmpty, "\(edges)")
    }
  }

  @Test(arguments: 1...150)
  func `a random graph with all that an edge can be is drawn`(seed: Int) {
    var numbers = SeededNumbers(seed: UInt64(seed))
    let count = 1 + numbers.next(below: 40)
    var edges = (0..<numbers.next(below: 3 * count)).map { _ in
      (numbers.next(below: count), numbers.next(below: count))
    }
    edges += edges.prefix(numbers.next(below: 4))
    edges += [(-1, 0), (count, 0), (0, .max), (.min, .max)].prefix(numbers.next(below: 5))
    #expect(DrawingCheck(graph(count, edges), spacing).faults == [])
    #expect(DrawingCheck(graph(count, edges), spacing, passages: count).faults == [])
    #expect(DrawingCheck(graph(count, edges), spacing, passages: 0).faults == [])
  }

  @Test(arguments: 1...150)
  func `crossings are as many as a comparison of all lines finds`(seed: Int) {
    var numbers = SeededNumbers(seed: UInt64(seed))
    let count = 2 + numbers.next(below: 28)
    // Each node but the first has an edge from an earlier one, so that there is one part.
    var edges = (1..<count).map { (numbers.next(below: $0), $0) }
    for _ in 0..<numbers.next(below: 2 * count) {
      let low = numbers.next(below: count - 1)
      let high = low + 1 + numbers.next(below: count - 1 - low)
      if !edges.contains(where: { $0 == (low, high) }) { edges.append((low, high)) }
    }
    let check = DrawingCheck(graph(count, edges), spacing)
    #expect(check.faults == [])
    #expect(check.layout.crossings == check.crossings())
  }

  @Test(arguments: 1...20)
  func `the same graph gives the same drawing`(seed: Int) {
    var numbers = SeededNumbers(seed: UInt64(seed))
    let edges = (0..<200).map { _ in (numbers.next(below: 80), numbers.next(below: 80)) }
    let first = LayeredLayout(of: graph(80, edges), spacing: spacing)
    #expect(first == LayeredLayout(of: graph(80, edges), spacing: spacing))
  }

  @Test func `sizes and distances that are no lengths count as zero, or as the longest there is`() {
    for odd in [Double.nan, .infinity, -.infinity, -5, 0, 1e300, .leastNonzeroMagnitude] {
      let nodes = [
        Size(width: odd, height: 20), Size(width: 40, height: odd), Size(width: odd, height: odd),
      ]
      let edges = [(0, 1), (1, 2), (0, 2), (2, 2), (2, 0)].map {
        DirectedGraph.Edge(from: $0.0, to: $0.1)
      }
      for distance in [10, odd] {
        let layout = LayeredLayout(
          of: DirectedGraph(nodes: nodes, edges: edges),
          spacing: LayoutSpacing(nodes: distance, layers: distance, edges: distance))
        let numbers =
          layout.routes.joined().flatMap { [$0.x, $0.y] }
          + layout.frames.flatMap { [$0.left, $0.right, $0.top, $0.bottom] }
        #expect(numbers.allSatisfy { $0.isFinite && $0 >= 0 && $0 < 1e8 })
      }
    }
  }

  /// Removes nodes without incoming edges until none are left, or only cycles are.
  private func isAcyclic(_ count: Int, _ edges: [(Int, Int)]) -> Bool {
    var left = Set(0..<count)
    while let node = left.first(where: { node in
      !edges.contains { left.contains($0.0) && $0.1 == node }
    }) {
      left.remove(node)
    }
    return left.isEmpty
  }
}
