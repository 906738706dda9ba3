import ModelIR
import Operators

/// An operator that normalises slices of its input by their own values.
protocol SliceNormalization: Operator {
  /// The divisor of a slice's values.
  var measure: NormalizationStep.Measure { get }

  /// Returns the slices of an input of `shape`, and the indices of gamma and beta of their values.
  func slices(of shape: [Int]) throws(NetconvError) -> NormalizationStep.Slices
}

/// The kernel for normalisations of slices, followed by gamma and beta if there are any.
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
  /// Creates slices along `axes`, with a gamma and a beta for each index in a slice.
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

  /// The channels of a group follow those of the previous one.
  func slices(of shape: [Int]) throws(NetconvError) -> NormalizationStep.Slices {
    let (slices, channels) = try groupSlices(of: shape)
    return NormalizationStep.Slices(
      slices: slices, places: channels, placeStride: (channels.max() ?? 0) + 1)
  }
}
