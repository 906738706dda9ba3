import ModelIR

/// An operator with an affine function per channel, whose factors and offsets are parameters.
package protocol ChannelScalingOperator: Operator {
  /// The channel axis, not counting the batch; negative values count from the end.
  var axis: Int { get }

  /// Returns the affine function of each channel.
  ///
  /// - Parameter parameters: the parameters by role, with one value per channel.
  func channelScale(_ parameters: [ParameterRole: NDArray<Float>]) -> ChannelScale
}

extension ChannelScalingOperator {
  /// Returns true if the channel axis is the last of the given rank.
  package func scalesLastAxis(rank: Int) -> Bool { axis == -1 || axis == rank - 1 }
}
