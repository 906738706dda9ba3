import ModelIR
import ValueSums

extension TensorStatistics {
  /// Takes in the values of a tensor and sums them in blocks of 65,536, each in eight lanes.
  ///
  /// Blocks and lanes are fixed, so that the sums do not depend on how the values arrive.
  public struct Accumulator: Sendable {
    private static let blockSize = 65_536

    private let sourceIndex: (@Sendable (Int) -> Int)?
    private var min = Double.infinity
    private var max = -Double.infinity
    private var sum = 0.0
    private var squares = 0.0
    private var block = Lanes()
    private var blockCount = 0
    private var count = 0
    private var nonFinite = 0
    private var firstNonFinite: Int?

    /// Nothing seen yet.
    ///
    /// - Parameter sourceIndex: where in the source the value is that is taken in at an index; without it,
    ///   values are taken in in the order of the source.
    public init(sourceIndex: (@Sendable (Int) -> Int)? = nil) {
      self.sourceIndex = sourceIndex
    }

    /// Takes in the next values.
    public mutating func update(_ values: UnsafeBufferPointer<Float>) {
      var rest = values[...]
      while !rest.isEmpty {
        let part = UnsafeBufferPointer(rebasing: rest.prefix(Self.blockSize - blockCount))
        // Whole groups of lanes are summed together, what is left one by one.
        let left = (Lanes.count - blockCount % Lanes.count) % Lanes.count
        let groups = part.dropFirst(left).count / Lanes.count
        if left == 0, groups > 0 {
          add(groups: UnsafeBufferPointer(rebasing: part[..<(groups * Lanes.count)]))
          rest = rest.dropFirst(groups * Lanes.count)
        } else {
          let single = UnsafeBufferPointer(rebasing: part.prefix(left == 0 ? part.count : left))
          for value in single { add(value) }
          rest = rest.dropFirst(single.count)
        }
        if blockCount == Self.blockSize { closeBlock() }
      }
    }

    private mutating func add(groups values: UnsafeBufferPointer<Float>) {
      var lanes = block
      guard let range = lanes.add(values) else {
        for value in values { add(value) }
        return
      }
      block = lanes
      blockCount += values.count
      count += values.count
      include(range.lowerBound)
      include(range.upperBound)
    }

    private mutating func add(_ value: Float) {
      if value.isFinite {
        block.add(value, lane: blockCount % Lanes.count)
        include(value)
      } else {
        nonFinite += 1
        let index = sourceIndex?(count) ?? count
        firstNonFinite = Swift.min(firstNonFinite ?? index, index)
      }
      blockCount += 1
      count += 1
    }

    private mutating func include(_ value: Float) {
      min = Swift.min(min, Double(value))
      max = Swift.max(max, Double(value))
    }

    private mutating func closeBlock() {
      sum += block.sums.sum()
      squares += block.squares.sum()
      block = Lanes()
      blockCount = 0
    }

    /// The statistics of all values so far.
    public var result: TensorStatistics {
      var result = figures
      result.nonFinite = nonFinite
      result.firstNonFinite = firstNonFinite
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
      // 0 and -0 are equal, and which came first is nobody's business: adding 0 makes them 0.
      return TensorStatistics(
        min: min + 0, max: max + 0, mean: mean, std: variance.squareRoot(), nonFinite: nonFinite)
    }
  }
}
