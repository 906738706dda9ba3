import ModelIR
import Operators

/// An operator that brings slices of its input to a scale, each by its own values.
protocol SliceNormalization: Operator {
  /// What the values of a slice are divided by.
  var measure: NormalizationStep.Measure { get }

  /// The slices of an input of `shape`, and where gamma and beta of their values are.
  func slices(of shape: [Int]) throws(NetconvError) -> NormalizationStep.Slices
}

/// Slices brought to a scale of their own, then multiplied by gamma and shifted by beta where there are any.
struct SliceNormalizationKernel<Implemented: SliceNormalization>: FastKernel {
  static var listsPlaces: Bool { true }

  private let operation: Implemented
  private let gamma: [Float]?
  private let beta: [Float]?

  init(
    _ operation: Implemented, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {
    self.operation = operation
    gamma = parameters[.gamma]?.values
    beta = parameters[.beta]?.values
  }

  func step(inputs: [[Int]], output: [Int]) throws(NetconvError) -> (any KernelStep)? {
    NormalizationStep(
      measure: operation.measure, slices: try operation.slices(of: output),
      count: output.reduce(1, *), gamma: gamma, beta: beta)
  }
}

extension NormalizationStep.Slices {
  /// Slices along `axes`, with a gamma and a beta for each place in a slice.
  fileprivate init(of shape: [Int], along axes: AxisList) throws(NetconvError) {
    let slices = AxisSlices(of: shape, along: try axes.indices(rank: shape.count))
    self.init(slices: slices, places: Array(slices.offsets.indices), placeStride: 0)
  }
}

extension LayerNormalization: SliceNormalization {
  var measure: NormalizationStep.Measure {
    .deviation(epsilon: epsilon, subtractsMean: subtractsMean)
  }

  func slices(of shape: [Int]) throws(NetconvError) -> NormalizationStep.Slices {
    try NormalizationStep.Slices(of: shape, along: axis)
  }
}

extension RMSNormalization: SliceNormalization {
  var measure: NormalizationStep.Measure { .rootMeanSquare(epsilon: epsilon) }

  func slices(of shape: [Int]) throws(NetconvError) -> NormalizationStep.Slices {
    try NormalizationStep.Slices(of: shape, along: axis)
  }
}

extension UnitNormalization: SliceNormalization {
  var measure: NormalizationStep.Measure { .length(smallest: smallestNorm) }

  func slices(of shape: [Int]) throws(NetconvError) -> NormalizationStep.Slices {
    try NormalizationStep.Slices(of: shape, along: axis)
  }
}

extension GroupNormalization: SliceNormalization {
  var measure: NormalizationStep.Measure {
    .deviation(epsilon: epsilon, subtractsMean: true)
  }

  /// The channels of a group follow those of the one before.
  func slices(of shape: [Int]) throws(NetconvError) -> NormalizationStep.Slices {
    let (slices, channels) = try groupSlices(of: shape)
    return NormalizationStep.Slices(
      slices: slices, places: channels, placeStride: (channels.max() ?? 0) + 1)
  }
}
