import ModelIR
import Relations
import Testing

/// Tensors that share whole rows with others, found by them; a few rows may have other values.
@Suite struct RowRelationTests {
  private static let gate = TestArray([12, 10], seed: 2)
  private static let up = TestArray([12, 10], seed: 3)
  private static let down = TestArray([10, 12], seed: 4)

  /// Rows of two arrays in turns.
  private static let inTurns = TestArray.joined([gate, up], along: 0)
    .taking((0..<12).flatMap { [$0, 12 + $0] }, of: 0)

  @Test func `rows of several tensors in turns`() throws {
    let parts = try check([Self.down, Self.gate, Self.up], Self.inTurns, "in turns")
    #expect(parts.map(\.source) == [1, 2])
    #expect(parts.flatMap(\.target).map(\.step) == [2, 2])
    #expect(parts.flatMap(\.target).map(\.range) == [0..<23, 1..<24])
    try check(
      [Self.down, Self.gate, Self.up], Self.inTurns.transposed([1, 0]), "in turns, transposed")
    let third = TestArray([12, 10], seed: 9)
    try check(
      [Self.gate, third, Self.up],
      TestArray.joined([Self.gate, Self.up, third], along: 0)
        .taking((0..<12).flatMap { [$0, 12 + $0, 24 + $0] }, of: 0), "three in turns")
  }

  @Test func `experts that are stacked joins`() throws {
    let experts = (0..<6).map { TestArray([8, 10], seed: UInt64(20 + $0)) }
    let pairs = (0..<3).map { expert in
      TestArray.joined([experts[2 * expert], experts[2 * expert + 1]], along: 0)
    }
    let stack = { (arrays: [TestArray]) in
      TestArray.joined(arrays.map { $0.reshaped([1] + $0.shape) }, along: 0)
    }
    let parts = try check(experts, stack(pairs), "stacked joins")
    #expect(parts.map(\.source) == Array(0..<6))
    #expect(parts.allSatisfy { $0.target.map(\.axis) == [0, 1] })
    let moved = try check(experts, stack(pairs.map { $0.transposed([1, 0]) }), "transposed")
    #expect(moved.map(\.source) == Array(0..<6))
    #expect(moved.allSatisfy { $0.target.map(\.axis) == [0, 2] })
  }

  @Test func `slices by heads that are transposed`() throws {
    // 3 heads with 4 rows of keys and 2 rows of values each.
    let joined = TestArray([3 * 6, 10], seed: 5)
    let heads = joined.reshaped([3, 6, 10])
    let keys = heads.taking(Array(0..<4), of: 1).transposed([0, 2, 1])
    let values = heads.taking([4, 5], of: 1)
    for (array, what) in [(keys, "keys"), (values, "values")] {
      let parts = try check([Self.gate, joined], array, what)
      #expect(parts.allSatisfy { $0.source == 1 })
    }
  }

  /// A change of some values, and where it is found: the number of values, and the sections that contain them.
  private func expectNearly(
    _ a: [TestArray], _ b: TestArray, _ count: Int, _ sections: [RelatedPart.Section],
    sources: [Int], _ what: String
  ) throws {
    guard case .nearly(let parts, let found) = try relations(a, [b]).tensors[0].outcome else {
      Issue.record("\(what) is not found")
      return
    }
    #expect(found.count == count, "\(what)")
    #expect(found.sections == sections, "\(what)")
    #expect(parts.map(\.source) == sources, "\(what)")
  }

  @Test func `other values are found where they are`() throws {
    let (gate, up, down) = (Self.gate, Self.up, Self.down)
    let a = [down, gate, up]
    // The tenth row is the fifth one of the first tensor.
    try expectNearly(
      a, Self.inTurns.replacing(8..<9, of: 0), 10, [.init(axis: 0, range: 8..<9)],
      sources: [1, 2], "a row in turns")
    let joined = TestArray.joined([gate, up], along: 0)
    try expectNearly(
      a, joined.replacing(16..<20, of: 0), 40, [.init(axis: 0, range: 16..<20)],
      sources: [1, 2], "a head of a join")
    let rotary = up.reshaped([3, 2, 2, 10]).transposed([0, 2, 1, 3]).reshaped([12, 10])
    let rotated = TestArray.joined([gate, rotary], along: 0)
    try expectNearly(
      a, rotated.replacing(13..<14, of: 0).replacing(13..<14, of: 0), 10,
      [.init(axis: 0, range: 13..<14)], sources: [1, 2], "a row of a join that was moved")
    var value = rotated
    value.values[175] += 1
    try expectNearly(
      a, value, 1, [.init(axis: 0, range: 17..<18), .init(axis: 1, range: 5..<6)],
      sources: [1, 2], "a value of a join that was moved")
    try expectNearly(
      a, gate.transposed([1, 0]).replacing(3..<6, of: 1), 30, [.init(axis: 1, range: 3..<6)],
      sources: [1], "a head of a transposed tensor")
  }

  @Test func `an expert of a stack is found by those that are left`() throws {
    let experts = (0..<4).map { TestArray([8, 10], seed: UInt64(30 + $0)) }
    let stacked = TestArray.joined(experts.map { $0.reshaped([1, 8, 10]) }, along: 0)
    try expectNearly(
      experts + [Self.down], stacked.replacing(2..<3, of: 0), 80, [.init(axis: 0, range: 2..<3)],
      sources: [0, 1, 2, 3], "an expert")
  }

  @Test func `tensors with other values are in no relation`() throws {
    let others = TestArray([24, 10], seed: 40)
    guard case .unrelated = try relations([Self.gate, Self.up], [others]).tensors[0].outcome else {
      Issue.record("random values are related")
      return
    }
    // Half of the rows are not enough for the rest.
    let half = TestArray.joined([Self.gate, TestArray([13, 10], seed: 41)], along: 0)
    guard case .unrelated = try relations([Self.gate, Self.up], [half]).tensors[0].outcome else {
      Issue.record("an unknown half is related")
      return
    }
  }
}

extension TestArray {
  /// The array with other values in a range of an axis.
  fileprivate func replacing(_ range: Range<Int>, of axis: Int) -> TestArray {
    let others = TestArray(shape, seed: 77)
    return TestArray.joined(
      [
        taking(Array(0..<range.lowerBound), of: axis), others.taking(Array(range), of: axis),
        taking(Array(range.upperBound..<shape[axis]), of: axis),
      ].filter { $0.shape[axis] > 0 }, along: axis)
  }
}
