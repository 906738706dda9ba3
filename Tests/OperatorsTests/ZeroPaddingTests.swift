import ModelIR
import Operators
import Testing

@Suite struct ZeroPaddingTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("ZeroPadding2D", cases: 1)
    try expectTensorFlow("ZeroPadding1D", cases: 1)
  }

  @Test func `each side has its own width`() throws {
    let padding = ZeroPadding2D(top: 1, bottom: 0, left: 0, right: 2)
    #expect(
      try padding.evaluate([image([[1, 2]])], [:]) == image([[0, 0, 0, 0], [1, 2, 0, 0]]))
    #expect(try padding.outputShape(for: [Shape([nil, 4, nil])]) == Shape([nil, 6, nil]))
  }

  @Test func `refuses negative padding`() {
    let padding = ZeroPadding2D(top: 0, bottom: -1, left: 0, right: 0)
    #expect(
      message { () throws(NetconvError) in
        _ = try padding.outputShape(for: [Shape([4, 4, 1])])
      } == "padding is -1, expected a number from 0 to 1048576")
  }

  @Test func `says what a document should hold`() {
    #expect(
      decodingProblem(ZeroPadding2D.self, #"{"padding": [[1, 2]]}"#)
        == "padding is [[1, 2]], expected [[top, bottom], [left, right]]")
  }

  @Test func `a sequence has two ends`() {
    #expect(
      decodingProblem(ZeroPadding1D.self, #"{"padding": [[1, 2], [3, 4]]}"#)
        == "padding is [[1, 2], [3, 4]], expected [[before, after]]")
  }
}
