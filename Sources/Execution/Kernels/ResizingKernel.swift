import ModelIR
import Operators

/// An image of another size.
struct ResizingKernel: FastKernel {
  private let operation: Resizing

  init(
    _ operation: Resizing, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {
    self.operation = operation
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    SamplingStep(operation.sampling(of: inputs[0]), input: inputs[0])
  }
}
