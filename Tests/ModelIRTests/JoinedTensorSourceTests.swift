import ModelIR
import TestSupport
import Testing

/// Joined arrays against the definition: the value at each index comes from the piece whose range along the axis has it.
@Suite struct JoinedTensorSourceTests {
  /// Values that count from `start` on.
  private static func piece(_ shape: [Int], _ start: Float) -> ArraySource {
    ArraySource((0..<shape.reduce(1, *)).map { start + Float($0) })
  }

  @Test(
    "each range has the values of the definition",
    arguments: [
      (0, [[2, 3, 2], [1, 3, 2], [4, 3, 2]]), (1, [[2, 3, 2], [2, 1, 2], [2, 4, 2]]),
      (2, [[2, 3, 2], [2, 3, 1], [2, 3, 5]]), (0, [[3]]), (1, [[4, 1], [4, 1], [4, 1]]),
    ])
  func definition(axis: Int, shapes: [[Int]]) throws {
    let pieces = shapes.enumerated().map { Self.piece($1, Float(100 * $0)) }
    var expected: [Float] = []
    let slices = shapes[0][..<axis].reduce(1, *)
    for slice in 0..<slices {
      for (number, shape) in shapes.enumerated() {
        let length = shape[axis...].reduce(1, *)
        expected += (0..<length).map { Float(100 * number + slice * length + $0) }
      }
    }
    let joined = JoinedTensorSource(pieces, shapes: shapes, axis: axis)
    #expect(joined.count == expected.count)
    for start in 0..<expected.count {
      for end in start...expected.count {
        let found: [Float] = try joined.values(start..<end)
        let wide: [Double] = try joined.values(start..<end)
        #expect(found == Array(expected[start..<end]))
        #expect(wide == expected[start..<end].map(Double.init))
      }
    }
  }
}
