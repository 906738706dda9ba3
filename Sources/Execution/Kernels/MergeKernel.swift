import ModelIR
import Operators

/// The kernel for element-wise combinations.
struct MergeKernel<Implemented: MergeOperator>: FastKernel {
  private let level: CPULevel

  init(
    _ operation: Implemented, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {
    self.level = level
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    MergeStep(Implemented.combination, level, inputs: inputs, output: output)
  }
}
