import ModelIR
import Operators

/// The kernel for element-wise selection.
struct WhereKernel: FastKernel {
  init(_ operation: Where, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel) {}

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    WhereStep(rows: BroadcastRows(of: inputs, in: output))
  }

  private struct WhereStep: KernelStep {
    let rows: BroadcastRows

    func run(_ operands: Operands) {
      rows.share(operands) { share in
        for row in share {
          let inputs = rows.sources.indices.map { rows.address($0, row, operands) }
          let steps = rows.sources.map { $0.isConstant ? 0 : 1 }
          let y = operands.output + row * rows.length
          for index in 0..<rows.length {
            let chosen = inputs[0][index * steps[0]] != 0 ? 1 : 2
            y[index] = inputs[chosen][index * steps[chosen]]
          }
        }
      }
    }
  }
}
