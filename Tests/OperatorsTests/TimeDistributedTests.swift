import ModelIR
import Operators
import Testing

@Suite struct TimeDistributedTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("TimeDistributed", cases: 1)
  }

  @Test func `an operator without a name, or with several inputs, is refused`() {
    #expect(
      decodingProblem(TimeDistributed.self, #"{"operator": "Conv2D", "attributes": {}}"#)
        == "unknown operator 'Conv2D'")
    #expect(
      message { () throws(NetconvError) in
        _ = try TimeDistributed(Add()).outputShape(for: [Shape([3, 2])])
      } == "Add has several inputs, so it cannot be applied step by step")
  }
}
