import ModelIR
import Operators
import Testing

@Suite struct FlattenTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("Flatten", cases: 1)
  }

  @Test func `is a flatten only of more than one axis`() {
    #expect(Flatten().axisFlow(from: [Shape([2, 3])]) == .flatten)
    #expect(Flatten().axisFlow(from: [Shape([6])]) == .elementwise)
  }

  @Test func `the product of the sizes, if all are known`() throws {
    #expect(try Flatten().outputShape(for: [Shape([2, 3, 4])]) == Shape([24]))
    #expect(try Flatten().outputShape(for: [Shape([2, nil, 4])]) == Shape([nil]))
  }

  @Test func `refuses sizes that overflow`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try Flatten().outputShape(for: [Shape([Int.max, 2])])
      }
        == "sizes [9223372036854775807, 2] are negative or multiply to more than this machine can "
        + "count; the file is damaged or invalid")
  }

  @Test func `has no attributes`() {
    #expect(decodingProblem(Flatten.self, #"{"axis": 1}"#) == "unknown key 'axis'")
  }
}
