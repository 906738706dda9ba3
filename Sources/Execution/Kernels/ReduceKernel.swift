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
      slices.share(operands, count: count) { index, x in
        operands.output[index] = Float(function(slices.offsets.lazy.map { Double(x[$0]) }))
      }
    }
  }
}

extension AxisSlices {
  /// Calls `body` with each slice of a batch, on all threads.
  ///
  /// - Parameters:
  ///   - count: The number of values of an input image.
  ///   - body: Receives the index of the slice, counted over all images, and the address of its first value.
  func share(
    _ operands: Operands, count: Int,
    _ body: @escaping @Sendable (_ index: Int, _ first: UnsafePointer<Float>) -> Void
  ) {
    operands.team.share(
      operands.images * starts.count, smallest: 1 + elementwiseShare / max(1, offsets.count)
    ) { share, _ in
      for index in share {
        let (image, slice) = index.quotientAndRemainder(dividingBy: starts.count)
        body(index, operands.inputs[0] + image * count + starts[slice])
      }
    }
  }
}
