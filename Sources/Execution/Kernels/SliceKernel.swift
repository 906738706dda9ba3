import ModelIR
import Operators

/// The kernel for slices.
struct SliceKernel: FastKernel {
  static var listsPlaces: Bool { true }

  private let operation: Operators.Slice

  init(
    _ operation: Operators.Slice, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {
    self.operation = operation
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    TakingStep(
      places: operation.places(in: inputs[0], output), count: inputs[0].reduce(1, *))
  }

  private struct TakingStep: KernelStep {
    /// The input offset of each value of an output image.
    let places: [Int]
    /// The number of values of an input image.
    let count: Int

    func run(_ operands: Operands) {
      operands.team.share(
        operands.images, smallest: 1 + elementwiseShare / max(1, places.count)
      ) { images, _ in
        for image in images {
          let (x, y) = (operands.inputs[0] + image * count, operands.output + image * places.count)
          for (index, place) in places.enumerated() { y[index] = x[place] }
        }
      }
    }
  }
}
