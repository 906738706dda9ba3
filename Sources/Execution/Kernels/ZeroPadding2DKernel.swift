import ModelIR
import Operators

/// The kernel for zero padding around an image.
struct ZeroPadding2DKernel: FastKernel {
  private let operation: ZeroPadding2D

  init(
    _ operation: ZeroPadding2D, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {
    self.operation = operation
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    ZeroPaddingStep(
      border: ZeroBorder(
        input: inputs[0], height: output[0], width: output[1], top: operation.top,
        left: operation.left))
  }

  private struct ZeroPaddingStep: KernelStep {
    let border: ZeroBorder

    func run(_ operands: Operands) {
      let height = border.height
      operands.team.share(
        operands.images * height, smallest: 1 + elementwiseShare / border.rowCount
      ) { rows, _ in
        for row in rows {
          let x = operands.inputs[0] + row / height * border.input.reduce(1, *)
          let y = operands.output + row * border.rowCount
          border.copy(rows: row % height..<row % height + 1, of: x, to: y)
        }
      }
    }
  }
}
