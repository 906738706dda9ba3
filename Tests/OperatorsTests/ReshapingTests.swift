import ModelIR
import Operators
import Testing

/// Operators that move, repeat or leave out values.
@Suite struct ReshapingTests {
  @Test(arguments: [("Permute", 3), ("Cropping2D", 2), ("RepeatVector", 1)])
  func `agrees with TensorFlow`(name: String, cases: Int) throws {
    try expectTensorFlow(name, cases: cases)
  }

  @Test func `bilinear and nearest enlargements agree with TensorFlow`() throws {
    try expectTensorFlow("UpSampling2D", cases: 6, tolerance: functionTolerance)
  }

  @Test func `unknown sizes stay unknown`() throws {
    let image = Shape([nil, 6, nil])
    #expect(try Permute(order: [2, 0, 1]).outputShape(for: [image]) == Shape([nil, nil, 6]))
    #expect(
      try Cropping2D(top: 1, bottom: 1, left: 2, right: 1).outputShape(for: [image])
        == Shape([nil, 3, nil]))
    #expect(
      try UpSampling2D(size: Size2D(2, 3)).outputShape(for: [image]) == Shape([nil, 18, nil]))
    #expect(try RepeatVector(count: 3).outputShape(for: [Shape([nil])]) == Shape([3, nil]))
  }

  @Test func `an image smaller than what is cut off has no output`() throws {
    let cropping = Cropping2D(top: 3, bottom: 3, left: 0, right: 0)
    #expect(try cropping.outputShape(for: [Shape([4, 5, 1])]) == Shape([0, 5, 1]))
  }

  @Test(
    arguments: [
      (
        Permute(order: [0, 0, 1]),
        "order is [0, 0, 1], expected each axis of the input (4, 5, 6) once, counted from 0"
      ),
      (
        Permute(order: [1, 0]),
        "order is [1, 0], expected each axis of the input (4, 5, 6) once, counted from 0"
      ),
      (
        Cropping2D(top: -1, bottom: 0, left: 0, right: 0),
        "cropping is -1, expected a number from 0 to 1048576"
      ),
      (UpSampling2D(size: Size2D(0, 1)), "size is 0, expected a number from 1 to 1048576"),
      (RepeatVector(count: 2), "the input has shape (4, 5, 6), expected (features)"),
    ] as [(any Operator, String)])
  func `refuses what makes no sense`(operation: any Operator, text: String) {
    #expect(
      message { () throws(NetconvError) in
        _ = try operation.outputShape(for: [Shape([4, 5, 6])])
      } == text)
  }

  @Test func `names what is wrong with a document`() {
    #expect(
      decodingProblem(Cropping2D.self, #"{"cropping": [[1, 2, 3]]}"#)
        == "cropping is [[1, 2, 3]], expected [[top, bottom], [left, right]]")
  }
}
