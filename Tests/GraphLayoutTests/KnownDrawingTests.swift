import GraphLayout
import Testing

@Suite struct KnownDrawingTests {
  private let spacing = LayoutSpacing(nodes: 20, layers: 30, edges: 10)

  private func layout(_ count: Int, _ edges: [(Int, Int)]) -> LayeredLayout {
    LayeredLayout(
      of: DirectedGraph(
        nodes: Array(repeating: Size(width: 40, height: 20), count: count),
        edges: edges.map { .init(from: $0.0, to: $0.1) }),
      spacing: spacing)
  }

  private func points(_ pairs: (Double, Double)...) -> [Point] {
    pairs.map { Point(x: $0.0, y: $0.1) }
  }

  @Test func `nothing takes no place`() {
    let empty = layout(0, [])
    #expect(empty.frames == [])
    #expect(empty.size == Size(width: 0, height: 0))
    #expect(layout(0, [(0, 1)]).routes == [[]])
  }

  @Test func `a chain stands upright`() {
    let chain = layout(3, [(0, 1), (1, 2)])
    #expect(chain.frames.map(\.origin) == points((0, 0), (0, 50), (0, 100)))
    #expect(chain.routes == [points((20, 20), (20, 50)), points((20, 70), (20, 100))])
    #expect(chain.size == Size(width: 40, height: 120))
  }

  @Test func `two branches stand at equal distances from where they part and meet`() {
    let diamond = layout(4, [(0, 1), (0, 2), (1, 3), (2, 3)])
    #expect(diamond.frames.map(\.origin) == points((30, 0), (0, 50), (60, 50), (30, 100)))
    // Edges touch the middle half of a side, 10 from its middle at most.
    #expect(diamond.routes[0] == points((40, 20), (30, 50)))
    #expect(diamond.routes[3] == points((70, 70), (60, 100)))
    #expect(diamond.crossings == 0)
  }

  @Test func `edges from one node share their line as far as they go together`() {
    let skips = layout(5, [(0, 1), (1, 2), (2, 3), (3, 4), (0, 3), (0, 4)])
    let (shorter, longer) = (skips.routes[4], skips.routes[5])
    #expect(shorter[0] == longer[0])
    #expect(shorter[1] == longer[1])
    #expect(shorter[1].x == longer[2].x)
    #expect(longer[2].y == 170)
  }

  @Test func `an edge that closes a cycle goes up`() {
    let cycle = layout(3, [(0, 1), (1, 2), (2, 0)])
    #expect(cycle.frames.map(\.top) == [0, 50, 100])
    #expect(cycle.routes[2].first?.y == 100)
    #expect(cycle.routes[2].last?.y == 20)
  }

  @Test func `edges between the same two nodes are two lines`() {
    let double = layout(2, [(0, 1), (0, 1)])
    #expect(double.routes[0] == points((17.5, 20), (17.5, 50)))
    #expect(double.routes[1] == points((22.5, 20), (22.5, 50)))
  }

  @Test func `a loop is at the right side, and its place is kept free`() {
    let loop = layout(2, [(0, 0)])
    #expect(loop.routes[0] == points((50, 15), (60, 15), (60, 5), (50, 5)))
    #expect(loop.frames[1].left == 60 + 30)
  }

  @Test func `a node without edges above stands next to what reads it`() {
    // A chain of five, and a second input with a layer of its own that the last one reads.
    let inputs = layout(7, [(0, 1), (1, 2), (2, 3), (3, 4), (5, 6), (6, 4)])
    #expect(inputs.frames[6].top == 150)
    #expect(inputs.frames[5].top == 100)
  }

  @Test func `many parts stand in rows`() {
    let parts = layout(100, [])
    #expect(Set(parts.frames.map(\.top)).count > 5)
    #expect(parts.size.width < 2 * parts.size.height)
    #expect(parts.size.height < 2 * parts.size.width)
  }

  @Test func `crossings that need not be are not`() {
    // A tree whose branches are given in the wrong order, and a grid.
    #expect(layout(7, [(0, 1), (0, 2), (1, 6), (1, 5), (2, 4), (2, 3)]).crossings == 0)
    var grid: [(Int, Int)] = []
    for cell in 0..<16 {
      if cell % 4 < 3 { grid.append((cell, cell + 1)) }
      if cell < 12 { grid.append((cell, cell + 4)) }
    }
    #expect(layout(16, grid).crossings == 0)
  }

  @Test func `crossings that have to be are no more`() {
    // A complete graph between a nodes and b nodes has a(a-1)/2 x b(b-1)/2 of them in two layers.
    for (above, below, expected) in [(2, 2, 1), (3, 3, 9), (2, 4, 6), (4, 5, 60)] {
      let edges = (0..<above).flatMap { upper in (0..<below).map { (upper, above + $0) } }
      #expect(layout(above + below, edges).crossings == expected)
    }
  }

  @Test func `falling pairs of numbers are counted as a comparison of all pairs counts them`() {
    var numbers = SeededNumbers(seed: 7)
    for round in 0..<300 {
      let limit = 1 + round % 17
      let list = (0..<(round % 23)).map { _ in numbers.next(below: limit) }
      var expected = 0
      for (index, first) in list.enumerated() {
        expected += list[(index + 1)...].count { $0 < first }
      }
      #expect(inversions(of: list, below: limit) == expected, "\(list)")
    }
  }
}
