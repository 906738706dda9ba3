internal import CKernels
import ModelIR
import Operators

/// The kernel for the first input plus a multiple of the second.
struct ScaledAddKernel: FastKernel {
  private let operation: ScaledAdd
  private let level: CPULevel

  init(_ operation: ScaledAdd, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel) {
    self.operation = operation
    self.level = level
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    PairStep(
      combination: NETCONV_SCALED_SUM, s: Float(operation.scale), second: .input,
      count: output.reduce(1, *), level: level)
  }
}
