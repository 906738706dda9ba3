import ModelIR
import Operators
import Testing

@Suite struct ScaledAddTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("ScaledAdd", cases: 1)
  }

  @Test func `unknown sizes are those of the other input`() throws {
    #expect(
      try ScaledAdd(scale: 2).outputShape(for: [Shape([nil, 3]), Shape([4, 3])]) == Shape([4, 3]))
  }

  @Test func `refuses inputs of different shapes`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try ScaledAdd(scale: 2).outputShape(for: [Shape([2, 3]), Shape([2, 1])])
      } == "the inputs have shapes (2, 3) and (2, 1), which do not fit together")
  }
}
