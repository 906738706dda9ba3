import ModelIR
import Operators
import Testing

@Suite struct ReshapeTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("Reshape", cases: 2)
  }

  @Test func `-1 stands for what is left`() throws {
    #expect(try Reshape(shape: [-1, 4]).outputShape(for: [Shape([2, 6])]) == Shape([3, 4]))
    #expect(try Reshape(shape: [-1, 4]).outputShape(for: [Shape([nil, 6])]) == Shape([nil, 4]))
  }

  @Test func `to one axis it is a flatten`() {
    #expect(Reshape(shape: [-1]).axisFlow(from: [Shape([2, 3])]) == .flatten)
    #expect(Reshape(shape: [6]).axisFlow(from: [Shape([6])]) == .elementwise)
    #expect(Reshape(shape: [3, 2]).axisFlow(from: [Shape([2, 3])]) == .other)
  }

  @Test(arguments: [[5], [4, -1], [-1, -1], [0, -1], [-2, -3]])
  func `refuses another number of values`(target: [Int]) {
    #expect(
      message { () throws(NetconvError) in
        _ = try Reshape(shape: target).outputShape(for: [Shape([2, 3])])
      }
        == "cannot give the shape \(target) to an input of shape (2, 3); the number of values must "
        + "stay the same, and one size at most may be -1")
  }
}
