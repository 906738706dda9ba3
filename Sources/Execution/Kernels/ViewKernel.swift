import ModelIR

/// The kernel for an operator that only changes the name or shape of its input.
struct ViewKernel<Implemented: Operator>: FastKernel {
  init(
    _ operation: Implemented, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {}

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? { nil }
}
