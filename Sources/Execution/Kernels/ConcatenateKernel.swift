import ModelIR
import Operators

/// The kernel for concatenation, which copies block after block of each input.
struct ConcatenateKernel: FastKernel {
  private let operation: Concatenate

  init(
    _ operation: Concatenate, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {
    self.operation = operation
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    let axis = operation.axis < 0 ? operation.axis + output.count : operation.axis
    return ConcatenateStep(
      blocks: output[..<axis].reduce(1, *), lengths: inputs.map { $0[axis...].reduce(1, *) })
  }

  private struct ConcatenateStep: KernelStep {
    /// The number of blocks per image.
    let blocks: Int
    /// The number of values in a block of each input.
    let lengths: [Int]

    func run(_ operands: Operands) {
      operands.team.share(
        operands.images * blocks, smallest: 1 + elementwiseShare / lengths.reduce(1, +)
      ) { blocks, _ in
        run(blocks, operands)
      }
    }

    private func run(_ blocks: Range<Int>, _ operands: Operands) {
      var y = operands.output + blocks.lowerBound * lengths.reduce(0, +)
      for block in blocks {
        for (index, length) in lengths.enumerated() {
          y.update(from: operands.inputs[index] + block * length, count: length)
          y += length
        }
      }
    }
  }
}
