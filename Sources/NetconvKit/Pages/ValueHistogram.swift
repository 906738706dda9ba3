/// How many values lie where between the smallest and the largest.
struct ValueHistogram: Sendable, Encodable, Equatable {
  /// The most bars of a histogram.
  static let limit = 48

  /// The left edge of the first bar.
  let low: Double
  /// The right edge of the last.
  let high: Double
  /// Values in each bar; those on the right edge are in the last one.
  private(set) var counts: [Int]
  /// Values that are zero, of either sign.
  private(set) var zeros = 0

  private let scale: Double

  private enum CodingKeys: String, CodingKey {
    case low
    case high
    case counts
  }

  /// No values yet, of which the smallest and the largest are known.
  init(from low: Double, to high: Double) {
    self.low = low
    self.high = high
    let bars = low < high ? Self.limit : 1
    counts = Array(repeating: 0, count: bars)
    // Of float32, the width of any range is a Double.
    scale = low < high ? Double(bars) / (high - low) : 0
  }

  /// Takes in values; those that are not finite are in no bar.
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
