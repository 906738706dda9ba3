import ModelIR
import Operators

/// Inputs combined value by value.
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
