import ModelIR
import Operators
import Testing

@Suite struct MaskedAverageTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("MaskedAverage", cases: 2, tolerance: functionTolerance)
  }

  @Test func `a mask of another length is refused`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try MaskedAverage().outputShape(for: [Shape([4, 2]), Shape([5])])
      } == "the inputs have shapes (4, 2) and (5), which do not fit together")
  }
}
