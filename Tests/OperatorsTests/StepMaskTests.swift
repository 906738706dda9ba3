import ModelIR
import Operators
import Testing

@Suite struct StepMaskTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("StepMask", cases: 2)
  }

  @Test func `a step counts if one of its values does`() throws {
    let x = NDArray<Double>(shape: [3, 2], values: [2, 2, 2, 1, 0, 2])
    #expect(try StepMask(value: 2).evaluate([x], [:]) == NDArray(shape: [3], values: [0, 1, 1]))
  }
}
