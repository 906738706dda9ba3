import ModelIR
import Operators
import Testing

@Suite struct AdaptiveAveragePoolingTests {
  @Test func `agrees with TensorFlow`() throws {
    // A division by the number of places, rounded to float32.
    try expectTensorFlow("AdaptiveAveragePooling1D", cases: 4, tolerance: functionTolerance)
    try expectTensorFlow("AdaptiveAveragePooling2D", cases: 3, tolerance: functionTolerance)
  }

  @Test func `windows overlap where their number does not divide the input`() throws {
    let pooling = AdaptiveAveragePooling2D(outputSize: Size2D(1, 3))
    // Windows 0..<2, 1..<4 and 3..<5.
    #expect(
      try pooling.evaluate([image([[1, 3, 5, 7, 11]])], [:]) == image([[2, 5, 9]]))
  }

  @Test func `more windows than places repeat them`() throws {
    let pooling = AdaptiveAveragePooling2D(outputSize: Size2D(1, 4))
    #expect(try pooling.evaluate([image([[1, 3]])], [:]) == image([[1, 1, 3, 3]]))
  }

  @Test func `attributes are the size alone`() throws {
    #expect(
      try decode(AdaptiveAveragePooling2D.self, #"{"outputSize": [2, 3]}"#)
        == AdaptiveAveragePooling2D(outputSize: Size2D(2, 3)))
  }
}
