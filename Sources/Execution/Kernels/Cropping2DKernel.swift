import ModelIR
import Operators

/// The kernel for cropping, which copies the remaining rows and columns.
struct Cropping2DKernel: FastKernel {
  private let operation: Cropping2D

  init(_ operation: Cropping2D, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel) {
    self.operation = operation
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    CroppingStep(top: operation.top, left: operation.left, input: inputs[0], output: output)
  }

  private struct CroppingStep: KernelStep {
    let top: Int
    let left: Int
    let input: [Int]
    let output: [Int]

    func run(_ operands: Operands) {
      let length = output[1] * output[2]
      operands.team.share(
        operands.images * output[0], smallest: 1 + elementwiseShare / length
      ) { rows, _ in
        for row in rows {
          let (image, h) = row.quotientAndRemainder(dividingBy: output[0])
          let pixel = (image * input[0] + h + top) * input[1] + left
          (operands.output + row * length).update(
            from: operands.inputs[0] + pixel * input[2], count: length)
        }
      }
    }
  }
}
