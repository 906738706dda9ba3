import ModelIR
import Operators

/// The kernel for global max pooling.
struct GlobalMaxPooling2DKernel: FastKernel {
  private let level: CPULevel

  init(
    _ operation: GlobalMaxPooling2D, _ parameters: [ParameterRole: NDArray<Float>],
    _ level: CPULevel
  ) {
    self.level = level
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    PoolingStep(.largest, level, input: inputs[0])
  }
}
