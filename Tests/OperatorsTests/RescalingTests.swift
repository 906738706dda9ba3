import ModelIR
import Operators
import Testing

@Suite struct RescalingTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("Rescaling", cases: 3)
  }

  @Test func `refuses a number of factors that is not that of the channels`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try Rescaling(scale: [1, 2]).outputShape(for: [Shape([nil, 3])])
      } == "scale has 2 numbers, expected one, or one for each of 3 channels")
  }

  @Test func `keeps the shape`() throws {
    #expect(try Rescaling(scale: [2]).outputShape(for: [Shape([nil, nil])]) == Shape([nil, nil]))
    #expect(Rescaling(scale: [2]).axisFlow(from: [Shape([3])]) == .elementwise)
  }
}
