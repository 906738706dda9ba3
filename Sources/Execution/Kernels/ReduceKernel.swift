import ModelIR
import Operators

/// The kernel for reductions along axes; sums are in Double, so that long ones stay accurate.
struct ReduceKernel: FastKernel {
  static var listsPlaces: Bool { true }

  private let operation: Reduce

  init(_ operation: Reduce, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel) {
    self.operation = operation
  }

  func step(inputs: [[Int]], output: [Int]) throws(NetconvError) -> (any KernelStep)? {
    ReducingStep(
      function: operation.function, slices: try operation.slices(of: inputs[0]),
      count: inputs[0].reduce(1, *))
  }

  private struct ReducingStep: KernelStep {
    let function: Reduce.Function
    let slices: AxisSlices
    /// The number of values of an input image.
    let count: Int

    func run(_ operands: Operands) {
      let numbers = slices.starts.count
      operands.team.share(
        operands.images * numbers, smallest: 1 + elementwiseShare / max(1, slices.offsets.count)
      ) { share, _ in
        for index in share {
          let (image, number) = index.quotientAndRemainder(dividingBy: numbers)
          let x = operands.inputs[0] + image * count + slices.starts[number]
          operands.output[index] = Float(function(slices.offsets.lazy.map { Double(x[$0]) }))
        }
      }
    }
  }
}
