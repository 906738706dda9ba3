import ModelIR
import Operators
import Testing

@Suite struct ScaleTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("Scale", cases: 1)
  }

  @Test func `takes one value per channel`() throws {
    let specs = try Scale().parameters(for: [Shape([nil, 4])])
    #expect(specs.map(\.role) == [.gamma])
    #expect(specs.map(\.isOptional) == [false])
    #expect(specs.map(\.sizes) == [[.channels: 4]])
    #expect(Scale().axisFlow(from: [Shape([4])]) == .elementwise)
  }

  @Test func `refuses an unknown number of channels`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try Scale().outputShape(for: [Shape([2, nil])])
      }
        == "the input has shape (2, None); this layer needs every size that it mixes to be known, so "
        + "fix the size of the model's input")
  }
}
