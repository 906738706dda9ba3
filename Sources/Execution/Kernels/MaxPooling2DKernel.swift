import ModelIR
import Operators

/// The kernel for max pooling.
struct MaxPooling2DKernel: FastKernel {
  private let window: Window2D
  private let level: CPULevel

  init(
    _ operation: MaxPooling2D, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {
    window = operation.window
    self.level = level
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    PoolingStep(.largest, level, window, input: inputs[0])
  }
}
