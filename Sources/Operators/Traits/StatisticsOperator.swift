import ModelIR

/// An operator whose parameters include statistics of its input.
package protocol StatisticsOperator: Operator {
  /// Returns the mean and standard deviation of the input, for each index along the last axis of `shape`, or for each
  /// value.
  ///
  /// The result is `nil` if the operator does not normalise by them.
  func inputStatistics(
    of shape: [Int], _ parameters: [ParameterRole: NDArray<Float>]
  ) throws(NetconvError) -> (mean: [Double], deviation: [Double])?
}

extension Normalization: StatisticsOperator {
  /// Returns the statistics of each value.
  package func inputStatistics(
    of shape: [Int], _ parameters: [ParameterRole: NDArray<Float>]
  ) throws(NetconvError) -> (mean: [Double], deviation: [Double])? {
    invert ? nil : try measures(of: shape, parameters)
  }
}

extension BatchNormalization: StatisticsOperator {
  /// Returns the statistics of each channel, or of each value if channels are not the last axis.
  package func inputStatistics(
    of shape: [Int], _ parameters: [ParameterRole: NDArray<Float>]
  ) throws(NetconvError) -> (mean: [Double], deviation: [Double])? {
    guard let mean = parameters[.mean], let variance = parameters[.variance] else { return nil }
    let means = mean.values.map { Double($0) }
    let deviations = variance.values.map { (max(0, Double($0)) + epsilon).squareRoot() }
    let axis = try resolve(axis: axis, rank: shape.count)
    guard axis < shape.count - 1 else { return (means, deviations) }
    let stride = shape[(axis + 1)...].reduce(1, *)
    let channels = (0..<shape.reduce(1, *)).map { $0 / stride % shape[axis] }
    return (channels.map { means[$0] }, channels.map { deviations[$0] })
  }
}
