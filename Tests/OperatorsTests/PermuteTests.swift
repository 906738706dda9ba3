import ModelIR
import Operators
import Testing

@Suite struct PermuteTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("Permute", cases: 3)
  }

  @Test func `unknown sizes stay unknown`() throws {
    #expect(
      try Permute(order: [2, 0, 1]).outputShape(for: [Shape([nil, 6, nil])])
        == Shape([nil, nil, 6]))
  }

  @Test(arguments: [[0, 0, 1], [1, 0]])
  func `refuses an order that is none`(order: [Int]) {
    #expect(
      message { () throws(NetconvError) in
        _ = try Permute(order: order).outputShape(for: [Shape([4, 5, 6])])
      } == "order is \(order), expected each axis of the input (4, 5, 6) once, counted from 0")
  }
}
