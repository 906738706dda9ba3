import ModelIR

/// Channels with a few values so large that the int8 step size is too coarse for all others.
///
/// The error of the whole tensor does not show it, as it is small compared to these values.
public struct ChannelOutliers: Sendable, Equatable {
  /// The number of such channels.
  public let count: Int
  /// The total number of channels.
  public let channelCount: Int
  /// The index of the first of them, in the order of the scales.
  public let first: Int
  /// The largest magnitude in that channel.
  public let largest: Float
  /// The mean magnitude of its other non-zero values.
  public let mean: Float
  /// The step size of that channel.
  public let step: Float

  /// The minimum number of values: in a smaller channel, one large value is not unusual.
  private static let leastCount = 8

  /// Creates a record from the results of reading a tensor; `nil` if every channel keeps its values.
  ///
  /// - Parameter scales: the step size of each channel.
  init?(_ maxima: ChannelMaxima, _ sums: ChannelSums, scales: [Float]) {
    let largest = maxima.magnitudes
    let found = scales.indices.filter { channel in
      // Values below half a step become zero.
      sums.counts[channel] >= Self.leastCount
        && Self.mean(of: channel, sums, without: largest) < scales[channel] / 2
    }
    guard let first = found.first else { return nil }
    count = found.count
    channelCount = scales.count
    self.first = first
    self.largest = largest[first]
    mean = Self.mean(of: first, sums, without: largest)
    step = scales[first]
  }

  private static func mean(
    of channel: Int, _ sums: ChannelSums, without largest: [Float]
  ) -> Float {
    Float(
      max(0, sums.sums[channel] - Double(largest[channel])) / Double(sums.counts[channel] - 1))
  }
}
