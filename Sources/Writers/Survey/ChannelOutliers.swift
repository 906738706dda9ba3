import ModelIR

/// Channels in which a few values are so large that the steps of int8 are too wide for all others.
///
/// The error of the whole tensor does not show it: it is small beside the values that caused it.
public struct ChannelOutliers: Sendable, Equatable {
  /// How many channels have such values.
  public let count: Int
  /// How many channels there are.
  public let channelCount: Int
  /// The first of them, numbered as the scales are.
  public let first: Int
  /// Its largest magnitude.
  public let largest: Float
  /// The mean magnitude of its other values, without zeros.
  public let mean: Float
  /// The distance of two values that it can still have.
  public let step: Float

  /// Below this number of values, a channel may well have one that is large.
  private static let leastCount = 8

  /// What was found out by reading a tensor; `nil` if every channel keeps its values.
  ///
  /// - Parameter scales: the step of each channel.
  init?(_ maxima: ChannelMaxima, _ sums: ChannelSums, scales: [Float]) {
    let largest = maxima.magnitudes
    let found = scales.indices.filter { channel in
      // What is below half a step becomes zero.
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
