import ModelIR
import Operators
import Testing

@Suite struct IdentityTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("Identity", cases: 1)
  }

  @Test func `keeps the shape and what stands where`() throws {
    let shape = Shape([nil, 3])
    #expect(try Identity().outputShape(for: [shape]) == shape)
    #expect(Identity().axisFlow(from: [shape]) == .elementwise)
  }
}
