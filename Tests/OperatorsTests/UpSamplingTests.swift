import ModelIR
import Operators
import Testing

@Suite struct UpSamplingTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("UpSampling2D", cases: 12, tolerance: 4 * functionTolerance)
    try expectTensorFlow("UpSampling1D", cases: 1)
  }

  @Test func `unknown sizes stay unknown`() throws {
    #expect(
      try UpSampling2D(size: Size2D(2, 3)).outputShape(for: [Shape([nil, 6, nil])])
        == Shape([nil, 18, nil]))
  }

  @Test func `refuses what makes no sense`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try UpSampling2D(size: Size2D(0, 1)).outputShape(for: [Shape([4, 5, 6])])
      } == "size is 0, expected a number from 1 to 1048576")
  }
}
