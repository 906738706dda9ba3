import ModelIR
import Operators

/// The kernel that copies the values at given indices.
struct GatherKernel: FastKernel {
  static var listsPlaces: Bool { true }

  private let operation: Gather

  init(_ operation: Gather, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel) {
    self.operation = operation
  }

  func step(inputs: [[Int]], output: [Int]) throws(NetconvError) -> (any KernelStep)? {
    GatheringStep(
      runs: try operation.runs(of: inputs[0], inputs[1]), count: inputs[0].reduce(1, *),
      indexCount: inputs[1].reduce(1, *))
  }

  private struct GatheringStep: KernelStep {
    let runs: GatheredRuns
    /// The number of values of an input image.
    let count: Int
    /// The number of indices of an image.
    let indexCount: Int

    func run(_ operands: Operands) throws(NetconvError) {
      var y = operands.output
      for image in 0..<operands.images {
        let (x, indices) = (
          operands.inputs[0] + image * count, operands.inputs[1] + image * indexCount
        )
        for run in runs.starts.indices {
          y.update(
            from: x + (try runs.start(run) { Double(indices[$0]) }), count: runs.length)
          y += runs.length
        }
      }
    }
  }
}
