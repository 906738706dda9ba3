/// The number of non-zero values of each channel, and the sum of their magnitudes.
package struct ChannelSums: Sendable {
  private let channels: ChannelMap
  /// The number of non-zero values of each channel.
  package private(set) var counts: [Int]
  /// The sum of magnitudes of each channel.
  package private(set) var sums: [Double]

  /// Creates empty sums.
  package init(_ channels: ChannelMap) {
    self.channels = channels
    counts = Array(repeating: 0, count: channels.count)
    sums = Array(repeating: 0, count: channels.count)
  }

  /// Merges the sums of another part of the tensor.
  package mutating func add(_ other: ChannelSums) {
    for index in sums.indices {
      counts[index] += other.counts[index]
      sums[index] += other.sums[index]
    }
  }

  /// Adds values, the first of which has the index `start`.
  package mutating func add(_ values: UnsafeBufferPointer<Float>, from start: Int) {
    counts.withUnsafeMutableBufferPointer { counts in
      sums.withUnsafeMutableBufferPointer { sums in
        channels.forEachRun(in: start..<start + values.count) { run in
          var channel = run.channel
          for index in run.values {
            let value = values[index]
            counts[channel] += value == 0 ? 0 : 1
            sums[channel] += Double(value.magnitude)
            channel += run.step
          }
        }
      }
    }
  }
}
