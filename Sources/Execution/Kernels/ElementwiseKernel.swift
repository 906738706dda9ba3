import ModelIR
import Operators

/// The kernel for element-wise functions that are not activations; computed in Double.
struct ElementwiseKernel: FastKernel {
  private let operation: Elementwise

  init(
    _ operation: Elementwise, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {
    self.operation = operation
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    ElementwiseStep(function: operation, count: output.reduce(1, *))
  }

  private struct ElementwiseStep: KernelStep {
    let function: Elementwise
    let count: Int

    var inPlaceInputs: [Int] { [0] }

    func run(_ operands: Operands) {
      operands.team.share(operands.images * count, smallest: elementwiseShare) { share, _ in
        for index in share {
          operands.output[index] = Float(function(Double(operands.inputs[0][index])))
        }
      }
    }
  }
}
