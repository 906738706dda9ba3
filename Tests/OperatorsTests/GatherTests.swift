import ModelIR
import Operators
import Testing

/// Of x = np.arange(24).reshape(2, 3, 4): np.take, np.take_along_axis.
@Suite struct GatherTests {
  private let x = NDArray<Double>(shape: [2, 3, 4], values: (0..<24).map(Double.init))

  private func gathered(
    _ operation: Gather, _ shape: [Int], _ indices: [Double]
  ) throws -> NDArray<Double> {
    try operation.evaluate([x, NDArray(shape: shape, values: indices)], [:])
  }

  @Test func `the axes of the indices replace the axis`() throws {
    let rows = try gathered(Gather(axis: 1), [2], [2, -3])
    #expect(rows.shape == [2, 2, 4])
    #expect(rows.values == [8, 9, 10, 11, 0, 1, 2, 3, 20, 21, 22, 23, 12, 13, 14, 15])
    let last = try gathered(Gather(axis: -1), [1, 2], [3, 0.9])
    #expect(last.shape == [2, 3, 1, 2])
    #expect(last.values == [3, 0, 7, 4, 11, 8, 15, 12, 19, 16, 23, 20])
  }

  @Test func `each element has its own index`() throws {
    let y = try gathered(Gather(axis: 1, byElement: true), [2, 1, 3], [2, 0, -1, 1, 1, 0])
    #expect(y.shape == [2, 1, 3])
    #expect(y.values == [8, 1, 10, 16, 17, 14])
  }

  @Test(arguments: [3.0, -4.0, .nan, .infinity])
  func `indices outside of the axis are an error`(index: Double) {
    #expect(throws: NetconvError.self) { try gathered(Gather(axis: 1), [1], [index]) }
  }

  @Test func `shapes that do not fit are an error`() {
    for indices in [[3, 3], [3, 1, 4]] {
      #expect(throws: NetconvError.self) {
        try Gather(axis: 1, byElement: true).outputShape(for: [Shape([2, 3, 4]), Shape(indices)])
      }
    }
  }
}
