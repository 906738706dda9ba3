import ModelIR
import Operators
import Testing

@Suite struct MultiplyTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("Multiply", cases: 4)
  }

  @Test func `a size of 1 is repeated on either side`() throws {
    let pixel = NDArray<Double>(shape: [1, 1, 2], values: [10, 100])
    let column = NDArray<Double>(shape: [2, 1, 1], values: [1, 2])
    let y = try Multiply().evaluate([pixel, column], [:])
    #expect(y == NDArray(shape: [2, 1, 2], values: [10, 100, 20, 200]))
  }

  @Test func `shapes with unknown sizes`() throws {
    let shape = { try Multiply().outputShape(for: [$0, $1]) }
    #expect(try shape(Shape([nil, nil, 8]), Shape([1, 1, 8])) == Shape([nil, nil, 8]))
    #expect(try shape(Shape([nil, 1, nil]), Shape([3, 1, 8])) == Shape([3, 1, 8]))
  }

  @Test func `a NaN on either side wins`() throws {
    let nan = NDArray<Double>(shape: [1], values: [.nan])
    let one = NDArray<Double>(shape: [1], values: [1])
    #expect(try Multiply().evaluate([nan, one], [:]).values[0].isNaN)
    #expect(try Multiply().evaluate([one, nan], [:]).values[0].isNaN)
  }
}
