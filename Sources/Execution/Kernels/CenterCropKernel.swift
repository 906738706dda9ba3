import ModelIR
import Operators

/// The middle of an image.
struct CenterCropKernel: FastKernel {
  private let operation: CenterCrop

  init(
    _ operation: CenterCrop, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {
    self.operation = operation
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    SamplingStep(operation.sampling(of: inputs[0]), input: inputs[0])
  }
}
