import ModelIR
import Operators
import Testing

@Suite struct ConcatenateTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("Concatenate", cases: 4)
  }

  @Test func `lays blocks end to end along the axis`() throws {
    let a = NDArray<Double>(shape: [2, 1], values: [1, 2])
    let b = NDArray<Double>(shape: [2, 2], values: [3, 4, 5, 6])
    let y = try Concatenate().evaluate([a, b], [:])
    #expect(y == NDArray(shape: [2, 3], values: [1, 3, 4, 2, 5, 6]))
  }

  @Test func `sizes along the axis add up, if all are known`() throws {
    #expect(
      try Concatenate(axis: 0).outputShape(for: [Shape([2, nil]), Shape([3, 4])])
        == Shape([5, 4]))
    #expect(
      try Concatenate(axis: -1).outputShape(for: [Shape([2, nil]), Shape([2, 4])])
        == Shape([2, nil]))
  }

  @Test func `refuses shapes that differ elsewhere`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try Concatenate().outputShape(for: [Shape([2, 3]), Shape([4, 3])])
      } == "the inputs have shapes (2, 3) and (4, 3), which do not fit together")
    #expect(
      message { () throws(NetconvError) in
        _ = try Concatenate(axis: 2).outputShape(for: [Shape([2, 3]), Shape([2, 3])])
      } == "axis 2 does not exist in an input of rank 2 (the batch is not counted)")
  }
}
