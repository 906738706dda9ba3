import ModelIR
import Operators

/// Inputs combined value by value.
struct MergeKernel<Implemented: MergeOperator>: FastKernel {
  init(
    _ operation: Implemented, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {}

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    MergeStep(Implemented.combination, inputs: inputs, output: output)
  }
}
