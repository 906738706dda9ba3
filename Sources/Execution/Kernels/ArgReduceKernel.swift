import ModelIR
import Operators

/// The kernel that finds the indices of the largest or smallest values along an axis.
struct ArgReduceKernel: FastKernel {
  static var listsPlaces: Bool { true }

  private let operation: ArgReduce

  init(_ operation: ArgReduce, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel) {
    self.operation = operation
  }

  func step(inputs: [[Int]], output: [Int]) throws(NetconvError) -> (any KernelStep)? {
    SearchStep(
      operation: operation, slices: try operation.slices(of: inputs[0]),
      count: inputs[0].reduce(1, *))
  }

  private struct SearchStep: KernelStep {
    let operation: ArgReduce
    let slices: AxisSlices
    /// The number of values of an input image.
    let count: Int

    func run(_ operands: Operands) {
      slices.share(operands, count: count) { index, x in
        let found = operation.index(in: slices.offsets.count) { x[slices.offsets[$0]] }
        operands.output[index] = Float(found)
      }
    }
  }
}
