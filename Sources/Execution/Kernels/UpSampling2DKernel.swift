import ModelIR
import Operators

/// An image enlarged by whole numbers.
struct UpSampling2DKernel: FastKernel {
  private let operation: UpSampling2D

  init(
    _ operation: UpSampling2D, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {
    self.operation = operation
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    SamplingStep(operation.sampling(of: inputs[0]), input: inputs[0])
  }
}
