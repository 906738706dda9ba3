import ModelIR
import Operators

/// Each value times -1.
struct NegationKernel: FastKernel {
  private let level: CPULevel

  init(_ operation: Negation, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel) {
    self.level = level
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    AffineStep(level, mean: [0], scale: [-1], shift: [0], pixels: output.reduce(1, *))
  }
}
