import ModelIR
import Operators
import Testing

/// What all operators that combine inputs value by value have in common.
@Suite struct MergeTests {
  @Test(arguments: ["Subtract", "Multiply", "Average", "Maximum", "Minimum"])
  func `agrees with TensorFlow`(name: String) throws {
    // A mean of three is rounded.
    try expectTensorFlow(
      name, cases: name == "Subtract" ? 3 : 4, tolerance: name == "Average" ? functionTolerance : 0)
  }

  @Test func `a size of 1 is repeated on either side`() throws {
    let pixel = NDArray<Double>(shape: [1, 1, 2], values: [10, 100])
    let column = NDArray<Double>(shape: [2, 1, 1], values: [1, 2])
    let y = try Multiply().evaluate([pixel, column], [:])
    #expect(y == NDArray(shape: [2, 1, 2], values: [10, 100, 20, 200]))
    #expect(try Subtract().evaluate([column, pixel], [:]).values == [-9, -99, -8, -98])
  }

  @Test func `shapes with unknown sizes`() throws {
    let shape = { try Multiply().outputShape(for: [$0, $1]) }
    #expect(try shape(Shape([nil, nil, 8]), Shape([1, 1, 8])) == Shape([nil, nil, 8]))
    #expect(try shape(Shape([nil, 1, nil]), Shape([3, 1, 8])) == Shape([3, 1, 8]))
  }

  @Test func `a difference is of two`() {
    #expect(Subtract().inputCount == 2...2)
    #expect(Average().inputCount == 2...Int.max)
  }

  @Test(arguments: [Maximum(), Minimum(), Multiply()] as [any Operator])
  func `a NaN on either side wins`(operation: any Operator) throws {
    let nan = NDArray<Double>(shape: [1], values: [.nan])
    let one = NDArray<Double>(shape: [1], values: [1])
    #expect(try operation.evaluate([nan, one], [:]).values[0].isNaN)
    #expect(try operation.evaluate([one, nan], [:]).values[0].isNaN)
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
