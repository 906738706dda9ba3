import ModelIR
import Operators
import Testing

@Suite struct RepeatVectorTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("RepeatVector", cases: 1)
  }

  @Test func `unknown sizes stay unknown`() throws {
    #expect(try RepeatVector(count: 3).outputShape(for: [Shape([nil])]) == Shape([3, nil]))
  }

  @Test func `refuses what makes no sense`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try RepeatVector(count: 2).outputShape(for: [Shape([4, 5, 6])])
      } == "the input has shape (4, 5, 6), expected (features)")
  }
}
