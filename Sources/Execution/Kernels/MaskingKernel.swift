import ModelIR
import Operators

/// The kernel that replaces masked steps by zeros.
struct MaskingKernel: FastKernel {
  private let value: Float

  init(_ operation: Masking, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel) {
    value = Float(operation.value)
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    let run = output.last ?? 1
    return MaskingStep(value: value, steps: output.reduce(1, *) / run, run: run)
  }

  private struct MaskingStep: KernelStep {
    let value: Float
    let steps: Int
    let run: Int

    func run(_ operands: Operands) {
      for step in 0..<operands.images * steps {
        let (x, y) = (operands.inputs[0] + step * run, operands.output + step * run)
        if (0..<run).contains(where: { x[$0] != value }) {
          y.update(from: x, count: run)
        } else {
          y.update(repeating: 0, count: run)
        }
      }
    }
  }
}
