import GraphLayout
import TestSupport
import Testing

/// Graphs as large as models get, and larger.
@Suite struct LargeDrawingTests {
  private func layout(_ count: Int, _ edges: [(Int, Int)]) -> LayeredLayout {
    LayeredLayout(of: graph(count, edges))
  }

  private func chain(_ count: Int) -> [(Int, Int)] { (1..<count).map { ($0 - 1, $0) } }

  @Test func `a chain of 100,000 layers is laid out`() {
    let long = layout(100_000, chain(100_000))
    #expect(zip(long.frames, long.frames.dropFirst()).allSatisfy { $0.bottom < $1.top })
  }

  @Test func `a cycle through 100,000 nodes is laid out`() {
    let long = layout(100_000, chain(100_000) + [(99_999, 0)])
    #expect(long.routes[99_999].first?.y == long.frames[99_999].top)
    #expect(long.routes[99_999].last?.y == long.frames[0].bottom)
  }

  @Test func `edges past thousands of layers take no more points than edges past few`() {
    // Each of 3,000 layers reads the one before, and the last one reads all: 4.5 million places where edges pass layers.
    let skips = layout(3_000, chain(3_000) + (0..<2_998).map { ($0, 2_999) })
    #expect(skips.routes.allSatisfy { (2...8).contains($0.count) })
  }

  @Test(.slow) func `a dense block of 200 layers, each of which reads all before it, is laid out`()
  {
    let edges = (0..<200).flatMap { upper in ((upper + 1)..<200).map { (upper, $0) } }
    let check = DrawingCheck(
      graph(200, edges), LayoutSpacing(nodes: 20, layers: 30, edges: 10), passages: 2_000)
    #expect(check.faults == [])
    #expect(check.upwardEdges == [])
  }

  @Test func `skips of a U-shaped model do not cross`() {
    let skips = layout(1_000, chain(1_000) + (0..<490).map { ($0, 999 - $0) })
    #expect(skips.crossings == 0)
  }

  @Test func `residual blocks are narrow and do not cross`() {
    let blocks = layout(3_000, chain(3_000) + (0..<999).map { (3 * $0, 3 * $0 + 3) })
    #expect(blocks.crossings == 0)
    #expect(blocks.size.width < 200)
  }
}
