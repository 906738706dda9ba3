import ModelIR
import Operators

/// The kernel for element-wise functions of two inputs; computed in Double.
struct PairwiseKernel: FastKernel {
  private let function: Pairwise.Function

  init(_ operation: Pairwise, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel) {
    function = operation.function
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    PairwiseStep(function: function, rows: BroadcastRows(of: inputs, in: output))
  }

  private struct PairwiseStep: KernelStep {
    let function: Pairwise.Function
    let rows: BroadcastRows

    func run(_ operands: Operands) {
      rows.share(operands) { share in
        for row in share {
          let (a, b) = (rows.address(0, row, operands), rows.address(1, row, operands))
          let steps = rows.sources.map { $0.isConstant ? 0 : 1 }
          let y = operands.output + row * rows.length
          for index in 0..<rows.length {
            y[index] = Float(function(Double(a[index * steps[0]]), Double(b[index * steps[1]])))
          }
        }
      }
    }
  }
}
