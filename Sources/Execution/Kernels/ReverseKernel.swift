import ModelIR
import Operators

/// The kernel for reversal.
struct ReverseKernel: FastKernel {
  init(_ operation: Reverse, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel) {}

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    ReverseStep(length: inputs[0][0], run: inputs[0].dropFirst().reduce(1, *))
  }

  private struct ReverseStep: KernelStep {
    let length: Int
    let run: Int

    func run(_ operands: Operands) {
      operands.team.share(operands.images * length, smallest: 1 + elementwiseShare / run) {
        steps, _ in
        for step in steps {
          let (image, place) = step.quotientAndRemainder(dividingBy: length)
          let from = operands.inputs[0] + (image * length + length - 1 - place) * run
          (operands.output + step * run).update(from: from, count: run)
        }
      }
    }
  }
}
