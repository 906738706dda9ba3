import ModelIR
import Operators

/// Each position normalised over its own values.
struct LayerNormalizationKernel: FastKernel {
  private let operation: LayerNormalization
  private let gamma: [Float]?
  private let beta: [Float]?

  init(
    _ operation: LayerNormalization, _ parameters: [ParameterRole: NDArray<Float>],
    _ level: CPULevel
  ) {
    self.operation = operation
    gamma = parameters[.gamma]?.values
    beta = parameters[.beta]?.values
  }

  func step(inputs: [[Int]], output: [Int]) throws(NetconvError) -> (any KernelStep)? {
    let slices = AxisSlices(of: output, along: try operation.axis.indices(rank: output.count))
    return NormalizationStep(
      measure: .deviation(
        epsilon: operation.epsilon, subtractsMean: operation.subtractsMean),
      slices: slices, count: output.reduce(1, *), places: Array(slices.offsets.indices),
      placeStride: 0, gamma: gamma, beta: beta)
  }
}
