import ModelIR
import Operators

/// The first input plus a multiple of the second.
struct ScaledAddKernel: FastKernel {
  private let operation: ScaledAdd

  init(_ operation: ScaledAdd, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel) {
    self.operation = operation
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    Step(scale: Float(operation.scale), count: output.reduce(1, *))
  }

  private struct Step: KernelStep {
    let scale: Float
    /// Values of an image.
    let count: Int

    func run(_ operands: Operands) {
      operands.team.share(operands.images * count, smallest: elementwiseShare) { share, _ in
        let (a, b, y) = (operands.inputs[0], operands.inputs[1], operands.output)
        for i in share { y[i] = a[i] + scale * b[i] }
      }
    }
  }
}
