/// A histogram of values between the smallest and the largest.
struct ValueHistogram: Sendable, Encodable, Equatable {
  /// The maximum number of bars.
  static let limit = 48

  /// The left edge of the first bar.
  let low: Double
  /// The right edge of the last bar.
  let high: Double
  /// The number of values in each bar; values on the right edge count in the last one.
  private(set) var counts: [Int]
  /// The number of zeros, of either sign.
  private(set) var zeros = 0

  private let scale: Double

  private enum CodingKeys: String, CodingKey {
    case low
    case high
    case counts
  }

  /// Creates an empty histogram for values in a range.
  init(from low: Double, to high: Double) {
    self.low = low
    self.high = high
    let bars = low < high ? Self.limit : 1
    counts = Array(repeating: 0, count: bars)
    // A Double can represent the width of any range of float32.
    scale = low < high ? Double(bars) / (high - low) : 0
  }

  /// Adds values; those that are not finite are in no bar.
  mutating func add(_ values: UnsafeBufferPointer<Float>) {
    let last = counts.count - 1
    counts.withUnsafeMutableBufferPointer { counts in
      for value in values where value.isFinite {
        if value == 0 { zeros += 1 }
        let bar = Int((Double(value) - low) * scale)
        counts[min(max(bar, 0), last)] += 1
      }
    }
  }
}
