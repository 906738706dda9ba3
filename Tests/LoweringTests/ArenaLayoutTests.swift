import Lowering
import Testing

/// Buffers in one block of memory.
@Suite struct ArenaLayoutTests {
  @Test func `buffers that live at different times share memory`() throws {
    // Three layers in a row: the first and the third value never live at the same time.
    let layout = try ArenaLayout([
      .init(count: 40, lifetime: 0...1), .init(count: 100, lifetime: 1...2),
      .init(count: 30, lifetime: 2...3),
    ])
    #expect(layout.offsets == [112, 0, 112])
    #expect(layout.count == 160)
  }

  @Test(arguments: 1...40)
  func `buffers that live at the same time never overlap`(_ seed: Int) throws {
    var state = UInt64(seed)
    func number(below limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    let requests = (0..<24).map { _ in
      let first = number(below: 12)
      return ArenaLayout.Request(
        count: number(below: 90), lifetime: first...(first + number(below: 5)))
    }
    let layout = try ArenaLayout(requests)
    for (index, one) in requests.enumerated() {
      #expect(layout.offsets[index] + one.count <= layout.count, "seed \(seed)")
      for other in requests.indices
      where other > index && one.lifetime.overlaps(requests[other].lifetime) {
        let (a, b) = (layout.offsets[index], layout.offsets[other])
        let isApart = a + one.count <= b || b + requests[other].count <= a
        #expect(isApart || one.count == 0 || requests[other].count == 0, "seed \(seed)")
      }
    }
  }
}
