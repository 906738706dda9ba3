import ModelIR
import Operators
import Testing

@Suite struct CenterCropTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("CenterCrop", cases: 8, tolerance: functionTolerance)
  }

  @Test func `worked by hand`() throws {
    let x = image([[0, 1, 2, 3], [4, 5, 6, 7]])
    #expect(try CenterCrop(size: Size2D(1, 2)).evaluate([x], [:]) == image([[1, 2]]))
    // Too small: the middle, enlarged.
    #expect(
      try CenterCrop(size: Size2D(4, 1)).evaluate([image([[8]])], [:])
        == image([[8], [8], [8], [8]]))
  }

  @Test func `refuses what makes no sense`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try CenterCrop(size: Size2D(1, -1)).outputShape(for: [Shape([4, 5, 6])])
      } == "size is -1, expected a number from 1 to 1048576")
  }
}
