import ModelIR
import Operators

/// The kernel for operators that resample images.
struct SamplingKernel<Implemented: SamplingOperator>: FastKernel {
  private let operation: Implemented

  init(
    _ operation: Implemented, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {
    self.operation = operation
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    SamplingStep(operation.sampling(of: inputs[0]), input: inputs[0].planar)
  }
}
