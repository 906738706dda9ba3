import ModelIR
import Operators
import Testing

@Suite struct AverageTests {
  // A mean of three is rounded.
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("Average", cases: 4, tolerance: functionTolerance)
  }

  @Test func `a mean is of two or more`() {
    #expect(Average().inputCount == 2...Int.max)
  }
}
