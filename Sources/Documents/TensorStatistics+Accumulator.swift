import ModelIR
import ValueSums

extension TensorStatistics {
  /// Accumulates the values of a tensor, summing blocks of 65,536, each in eight lanes.
  ///
  /// Blocks and lanes are fixed, so the sums do not depend on how the values are split between calls.
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

    /// Creates an empty accumulator.
    ///
    /// - Parameter sourceIndex: maps the index of a value to its index in the source; without it, values must be in the
    ///   order of the source.
    public init(sourceIndex: (@Sendable (Int) -> Int)? = nil) {
      self.sourceIndex = sourceIndex
    }

    /// Adds the next values.
    public mutating func update(_ values: UnsafeBufferPointer<Float>) {
      var rest = values[...]
      while !rest.isEmpty {
        let part = UnsafeBufferPointer(rebasing: rest.prefix(Self.blockSize - blockCount))
        // Whole groups of lanes are summed together, the rest one by one.
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

    /// The minimum, maximum, mean and standard deviation.
    private var figures: TensorStatistics {
      var copy = self
      copy.closeBlock()
      let finite = Double(count - nonFinite)
      guard finite > 0 else {
        return TensorStatistics(nonFinite: nonFinite)
      }
      let mean = copy.sum / finite
      let variance = Swift.max(0, copy.squares / finite - mean * mean)
      // 0 and -0 are equal, and their order should not matter: adding 0 normalises both to 0.
      return TensorStatistics(
        min: min + 0, max: max + 0, mean: mean, std: variance.squareRoot(), nonFinite: nonFinite)
    }
  }
}
