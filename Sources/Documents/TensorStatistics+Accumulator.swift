import ModelIR

extension TensorStatistics {
  /// Takes in values in the order of the source and sums them in blocks of 65,536.
  ///
  /// The blocks are fixed, so that the sums do not depend on how the values arrive.
  public struct Accumulator: Sendable {
    private static let blockSize = 65_536

    private var min = Double.infinity
    private var max = -Double.infinity
    private var sum = 0.0
    private var squares = 0.0
    private var blockSum = 0.0
    private var blockSquares = 0.0
    private var blockCount = 0
    private var count = 0
    private var nonFinite = 0
    private var firstNonFinite: Int?
    private var overflow = Overflow()

    /// Nothing seen yet.
    public init() {}

    /// Takes in the next values.
    public mutating func update(_ values: UnsafeBufferPointer<Float>) {
      var rest = values[...]
      while !rest.isEmpty {
        let part = rest.prefix(Self.blockSize - blockCount)
        add(UnsafeBufferPointer(rebasing: part))
        rest = rest.dropFirst(part.count)
        if blockCount == Self.blockSize { closeBlock() }
      }
    }

    private mutating func add(_ values: UnsafeBufferPointer<Float>) {
      var low = Float.infinity
      var high = -Float.infinity
      for value in values {
        guard value.isFinite else {
          nonFinite += 1
          firstNonFinite = firstNonFinite ?? count
          count += 1
          continue
        }
        count += 1
        low = value < low ? value : low
        high = value > high ? value : high
        blockSum += Double(value)
        blockSquares += Double(value) * Double(value)
      }
      blockCount += values.count
      // As in the loop, the first of two equal values stays: 0 and -0 are equal.
      min = Double(low) < min ? Double(low) : min
      max = Double(high) > max ? Double(high) : max
    }

    private mutating func closeBlock() {
      sum += blockSum
      squares += blockSquares
      blockSum = 0
      blockSquares = 0
      blockCount = 0
    }

    /// Takes in finite values of the source that are infinite as they were taken in by ``update(_:)``.
    public mutating func add(_ overflow: Overflow) {
      self.overflow.add(overflow)
    }

    /// The statistics of all values so far.
    public var result: TensorStatistics {
      var result = figures
      result.nonFinite = nonFinite
      result.firstNonFinite = firstNonFinite
      if overflow.count > 0 {
        result.overflowed = overflow.count
        result.firstOverflowed = overflow.first
      }
      return result
    }

    /// Minimum, maximum, mean and deviation.
    private var figures: TensorStatistics {
      var copy = self
      copy.closeBlock()
      let finite = Double(count - nonFinite)
      guard finite > 0 else {
        return TensorStatistics(nonFinite: nonFinite)
      }
      let mean = copy.sum / finite
      let variance = Swift.max(0, copy.squares / finite - mean * mean)
      return TensorStatistics(
        min: min, max: max, mean: mean, std: variance.squareRoot(), nonFinite: nonFinite)
    }
  }
}
