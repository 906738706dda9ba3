import ModelIR
import Operators

/// The kernel for permutations of axes.
struct PermuteKernel: FastKernel {
  private let operation: Permute

  init(_ operation: Permute, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel) {
    self.operation = operation
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    let strides = inputs[0].indices.map { inputs[0][($0 + 1)...].reduce(1, *) }
    let copy = StridedCopy(
      operation.order.map { StridedCopy.Dimension(size: inputs[0][$0], stride: strides[$0]) })
    return copy.isIdentity ? nil : PermuteStep(copy: copy, count: output.reduce(1, *))
  }

  private struct PermuteStep: KernelStep {
    let copy: StridedCopy
    let count: Int

    func run(_ operands: Operands) {
      operands.team.share(operands.images) { images, _ in
        for image in images {
          copy.run(operands.inputs[0] + image * count, operands.output + image * count)
        }
      }
    }
  }
}
