import ModelIR
import Operators

/// The kernel for a factor per channel.
struct ScaleKernel: FastKernel {
  private let gamma: [Float]
  private let level: CPULevel

  init(_ operation: Scale, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel) {
    gamma = parameters[.gamma]?.values ?? []
    self.level = level
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    let zeros = gamma.map { _ in Float(0) }
    return AffineStep(
      level, mean: zeros, scale: gamma, shift: zeros, pixels: output.dropLast().reduce(1, *))
  }
}
