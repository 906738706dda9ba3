import ModelIR
import Operators

/// All positions normalised together, for groups of channels.
struct GroupNormalizationKernel: FastKernel {
  private let operation: GroupNormalization
  private let gamma: [Float]?
  private let beta: [Float]?

  init(
    _ operation: GroupNormalization, _ parameters: [ParameterRole: NDArray<Float>],
    _ level: CPULevel
  ) {
    self.operation = operation
    gamma = parameters[.gamma]?.values
    beta = parameters[.beta]?.values
  }

  func step(inputs: [[Int]], output: [Int]) throws(NetconvError) -> (any KernelStep)? {
    let (slices, channels) = try operation.slices(of: output)
    return NormalizationStep(
      measure: .deviation(epsilon: operation.epsilon, subtractsMean: true), slices: slices,
      count: output.reduce(1, *), places: channels, placeStride: (channels.max() ?? 0) + 1,
      gamma: gamma, beta: beta)
  }
}
