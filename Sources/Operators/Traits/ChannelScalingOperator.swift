import ModelIR

/// An operator that multiplies each channel by a number and adds one to it, both of which are parameters.
package protocol ChannelScalingOperator: Operator {
  /// The axis of the channels, counted without the batch; negative from the end.
  var axis: Int { get }

  /// What the operator does to each channel.
  ///
  /// - Parameter parameters: by role, one value for each channel.
  func channelScale(_ parameters: [ParameterRole: NDArray<Float>]) -> ChannelScale
}

extension ChannelScalingOperator {
  /// Whether the channels of values of a rank are their last axis.
  package func scalesLastAxis(rank: Int) -> Bool { axis == -1 || axis == rank - 1 }
}
