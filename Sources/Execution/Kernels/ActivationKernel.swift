import ModelIR
import Operators

/// The kernel for a separate activation layer.
struct ActivationKernel: FastKernel {
  private let operation: Activation
  private let level: CPULevel

  init(
    _ operation: Activation, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {
    self.operation = operation
    self.level = level
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    guard !operation.function.isLinear else { return nil }
    return ActivationStep(
      pass: ActivationPass(function: operation.function, shape: output, level: level))
  }

  private struct ActivationStep: KernelStep {
    let pass: ActivationPass

    var inPlaceInputs: [Int] { [0] }

    func run(_ operands: Operands) {
      pass.run(operands.images, operands.inputs[0], operands.output, operands.team)
    }
  }
}
