import ModelIR
import Operators

/// Each position divided by the root of the mean square of its own values.
struct RMSNormalizationKernel: FastKernel {
  private let operation: RMSNormalization
  private let gamma: [Float]?

  init(
    _ operation: RMSNormalization, _ parameters: [ParameterRole: NDArray<Float>],
    _ level: CPULevel
  ) {
    self.operation = operation
    gamma = parameters[.gamma]?.values
  }

  func step(inputs: [[Int]], output: [Int]) throws(NetconvError) -> (any KernelStep)? {
    let slices = AxisSlices(of: output, along: try operation.axis.indices(rank: output.count))
    return NormalizationStep(
      measure: .rootMeanSquare(epsilon: operation.epsilon), slices: slices,
      count: output.reduce(1, *), places: Array(slices.offsets.indices), placeStride: 0,
      gamma: gamma, beta: nil)
  }
}
