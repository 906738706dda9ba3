import ModelIR
import Operators

/// The kernel that sorts values along an axis.
struct TopKKernel: FastKernel {
  static var listsPlaces: Bool { true }

  private let operation: TopK

  init(_ operation: TopK, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel) {
    self.operation = operation
  }

  func step(inputs: [[Int]], output: [Int]) throws(NetconvError) -> (any KernelStep)? {
    let places = try operation.places(in: inputs[0])
    return SelectionStep(
      operation: operation, slices: places.slices, outputs: places.outputs,
      count: inputs[0].reduce(1, *), outputCount: output.reduce(1, *))
  }

  private struct SelectionStep: KernelStep {
    let operation: TopK
    let slices: AxisSlices
    /// The slices of the output, one for each of the input's.
    let outputs: AxisSlices
    /// The number of values of an input image.
    let count: Int
    /// The number of values of an output image.
    let outputCount: Int

    func run(_ operands: Operands) {
      slices.share(operands, count: count) { index, x in
        let (image, slice) = index.quotientAndRemainder(dividingBy: slices.starts.count)
        let y = operands.output + image * outputCount + outputs.starts[slice]
        let selected = operation.indices(among: slices.offsets.count) { x[slices.offsets[$0]] }
        for (rank, index) in selected.enumerated() {
          y[outputs.offsets[rank]] =
            operation.result == .values ? x[slices.offsets[index]] : Float(index)
        }
      }
    }
  }
}
