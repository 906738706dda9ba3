import ModelIR
import Operators
import Testing

@Suite struct MaximumTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("Maximum", cases: 4)
  }

  @Test func `a NaN on either side wins`() throws {
    let nan = NDArray<Double>(shape: [1], values: [.nan])
    let one = NDArray<Double>(shape: [1], values: [1])
    #expect(try Maximum().evaluate([nan, one], [:]).values[0].isNaN)
    #expect(try Maximum().evaluate([one, nan], [:]).values[0].isNaN)
  }

  @Test func `refuses shapes that do not fit`() {
    for (a, b) in [([2, 3], [4, 3]), ([3], [2, 3])] {
      #expect(
        message { () throws(NetconvError) in
          _ = try Maximum().outputShape(for: [Shape(a), Shape(b)])
        } == "the inputs have shapes \(Shape(a)) and \(Shape(b)), which do not fit together")
    }
  }
}
