import ModelIR
import Operators

/// The kernel for global average pooling.
struct GlobalAveragePooling2DKernel: FastKernel {
  private let level: CPULevel

  init(
    _ operation: GlobalAveragePooling2D, _ parameters: [ParameterRole: NDArray<Float>],
    _ level: CPULevel
  ) {
    self.level = level
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    PoolingStep(.mean, level, input: inputs[0])
  }
}
