import ModelIR
import Operators

/// The kernel for average pooling.
struct AveragePooling2DKernel: FastKernel {
  private let window: Window2D
  private let level: CPULevel

  init(
    _ operation: AveragePooling2D, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {
    window = operation.window
    self.level = level
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    PoolingStep(.mean, level, window, input: inputs[0])
  }
}
