import ModelIR
import Operators
import Testing

@Suite struct CroppingTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("Cropping2D", cases: 2)
    try expectTensorFlow("Cropping1D", cases: 1)
  }

  @Test func `unknown sizes stay unknown`() throws {
    #expect(
      try Cropping2D(top: 1, bottom: 1, left: 2, right: 1).outputShape(for: [Shape([nil, 6, nil])])
        == Shape([nil, 3, nil]))
  }

  @Test func `an image smaller than what is cut off has no output`() throws {
    let cropping = Cropping2D(top: 3, bottom: 3, left: 0, right: 0)
    #expect(try cropping.outputShape(for: [Shape([4, 5, 1])]) == Shape([0, 5, 1]))
  }

  @Test func `refuses what makes no sense`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try Cropping2D(top: -1, bottom: 0, left: 0, right: 0).outputShape(for: [
          Shape([4, 5, 6])
        ])
      } == "cropping is -1, expected a number from 0 to 1048576")
  }

  @Test func `names what is wrong with a document`() {
    #expect(
      decodingProblem(Cropping2D.self, #"{"cropping": [[1, 2, 3]]}"#)
        == "cropping is [[1, 2, 3]], expected [[top, bottom], [left, right]]")
  }
}
