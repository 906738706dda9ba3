/// How many values of each channel are not zero, and the sum of their magnitudes.
package struct ChannelSums: Sendable {
  private let channels: ChannelMap
  /// How many values of each channel are not zero.
  package private(set) var counts: [Int]
  /// The sums of their magnitudes.
  package private(set) var sums: [Double]

  /// No values yet.
  package init(_ channels: ChannelMap) {
    self.channels = channels
    counts = Array(repeating: 0, count: channels.count)
    sums = Array(repeating: 0, count: channels.count)
  }

  /// Takes in the values of another part of the tensor.
  package mutating func add(_ other: ChannelSums) {
    for index in sums.indices {
      counts[index] += other.counts[index]
      sums[index] += other.sums[index]
    }
  }

  /// Takes in values, of which the first has the index `start`.
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
