import ModelIR
import Operators
import Testing

@Suite struct DotTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("Dot", cases: 21, tolerance: 2 * functionTolerance)
  }

  @Test func `worked by hand`() throws {
    let a = NDArray<Double>(shape: [2, 2], values: [3, 4, 0, 2])
    let b = NDArray<Double>(shape: [2], values: [1, -1])
    #expect(
      try Dot(axes: [1, 0]).evaluate([a, b], [:]) == NDArray(shape: [2], values: [-1, -2]))
    #expect(
      try Dot(axes: [1, 1], smallestNorm: 1e-7).evaluate([a, a], [:]).values == [1, 0.8, 0.8, 1])
  }

  @Test func `two vectors give one number`() throws {
    #expect(try Dot(axes: [0, 0]).outputShape(for: [Shape([3]), Shape([nil])]) == Shape([1]))
  }

  @Test func `refuses axes that do not fit`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try Dot(axes: [1, 0]).outputShape(for: [Shape([2, 3]), Shape([2, 3])])
      } == "the inputs have shapes (2, 3) and (2, 3), which do not fit together")
    #expect(
      message { () throws(NetconvError) in
        _ = try Dot(axes: [1]).outputShape(for: [Shape([2, 3]), Shape([2, 3])])
      } == "axis is [1], expected one axis for each of two inputs")
    #expect(
      message { () throws(NetconvError) in
        _ = try Dot(axes: [2, 0]).outputShape(for: [Shape([2, 3]), Shape([2, 3])])
      } == "axis 2 does not exist in an input of rank 2 (the batch is not counted)")
  }
}
