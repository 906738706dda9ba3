import ModelIR

/// An operator that only gives its input another name or shape.
struct ViewKernel<Implemented: Operator>: FastKernel {
  init(
    _ operation: Implemented, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {}

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? { nil }
}
