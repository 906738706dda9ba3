import ModelIR
import Operators

/// The kernel that computes masks of steps.
struct StepMaskKernel: FastKernel {
  private let operation: StepMask

  init(_ operation: StepMask, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel) {
    self.operation = operation
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    MaskStep(
      value: Float(operation.value), count: output.reduce(1, *),
      run: operation.isPerValue ? 1 : inputs[0].last ?? 1)
  }

  private struct MaskStep: KernelStep {
    let value: Float
    let count: Int
    let run: Int

    func run(_ operands: Operands) {
      for step in 0..<operands.images * count {
        operands.output[step] = holdsOther(operands.inputs[0] + step * run) ? 1 : 0
      }
    }

    private func holdsOther(_ x: UnsafePointer<Float>) -> Bool {
      (0..<run).contains { x[$0] != value }
    }
  }
}
