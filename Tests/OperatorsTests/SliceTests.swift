import ModelIR
import Operators
import Testing

@Suite struct SliceTests {
  /// As numpy: np.arange(24).reshape(2, 3, 4)[:, 2::-2, 1:4:2].
  @Test func `places in steps, also from the end`() throws {
    let x = NDArray<Double>(shape: [2, 3, 4], values: (0..<24).map(Double.init))
    let slice = Operators.Slice(starts: [0, 2, 1], counts: [nil, 2, 2], steps: [1, -2, 2])
    let y = try slice.evaluate([x], [:])
    #expect(y.shape == [2, 2, 2])
    #expect(y.values == [9, 11, 1, 3, 21, 23, 13, 15])
    #expect(try slice.outputShape(for: [Shape([nil, 3, 4])]) == Shape([nil, 2, 2]))
  }

  @Test(arguments: [
    Operators.Slice(starts: [0], counts: [nil], steps: [1]),
    Operators.Slice(starts: [1, 0], counts: [nil, nil], steps: [1, 1]),
    Operators.Slice(starts: [0, 0], counts: [nil, nil], steps: [1, 2]),
    Operators.Slice(starts: [0, 3], counts: [3, 2], steps: [1, 1]),
    Operators.Slice(starts: [0, 0], counts: [2, 1], steps: [-1, 1]),
    Operators.Slice(starts: [0, 0], counts: [2, 2], steps: [1, 0]),
    Operators.Slice(starts: [-1, 0], counts: [1, 1], steps: [1, 1]),
    Operators.Slice(starts: [0, 0], counts: [3, 0], steps: [1, 1]),
    Operators.Slice(starts: [1, 0], counts: [.max, 1], steps: [.max, 1]),
    Operators.Slice(starts: [.max, 0], counts: [2, 1], steps: [1, 1]),
  ])
  func `what the input does not have is refused`(slice: Operators.Slice) {
    #expect(throws: NetconvError.self) { try slice.outputShape(for: [Shape([3, 4])]) }
  }
}
