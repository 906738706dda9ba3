import ModelIR
import ValueSums

/// Accumulated differences between values and their rounded values.
struct RoundingSums: Sendable {
  private(set) var overflow = Overflow()
  private var count = 0
  /// The number of values that are not finite as float32.
  private var nonFinite = 0
  /// The number of these that are finite in the source.
  private var unreadable = 0
  private var low = Float.infinity
  private var high = -Float.infinity
  private var subnormal = 0
  private var zeroed = 0
  private var worst: Float = 0
  private var errors = 0.0
  private var squares = 0.0
  private let leastNormal: Int32

  /// Creates empty sums for rounding to `type`.
  init(_ type: ElementType) {
    leastNormal = type.leastNormalPattern
  }

  /// Merges the sums of several parts of a tensor, in order; `nil` if there are none.
  init?(adding parts: [RoundingSums]) {
    guard let first = parts.first else { return nil }
    self = first
    for part in parts.dropFirst() { add(part) }
  }

  /// Merges the sums of the next part of the tensor.
  mutating func add(_ other: RoundingSums) {
    overflow.add(other.overflow)
    count += other.count
    nonFinite += other.nonFinite
    unreadable += other.unreadable
    low = min(low, other.low)
    high = max(high, other.high)
    subnormal += other.subnormal
    zeroed += other.zeroed
    worst = max(worst, other.worst)
    errors += other.errors
    squares += other.squares
  }

  /// Adds values of a source.
  ///
  /// - Parameters:
  ///   - values: the values as read from the source.
  ///   - rounded: the rounded values.
  ///   - places: the index ranges in the source, in order.
  /// - Throws: any error in reading the source: numbers that overflow float32 are read again.
  mutating func add(
    _ values: UnsafeBufferPointer<Float>, _ rounded: UnsafeBufferPointer<Float>,
    _ places: [Range<Int>], of source: any TensorSource
  ) throws(NetconvError) {
    if source.elementType == .float64, values.contains(where: \.isInfinite) {
      for range in places {
        let found = try source.overflows(in: range)
        unreadable += found.count
        overflow.add(found)
      }
    }
    add(values, rounded, places)
  }

  private mutating func add(
    _ values: UnsafeBufferPointer<Float>, _ rounded: UnsafeBufferPointer<Float>,
    _ places: [Range<Int>]
  ) {
    var lanes = RoundingLanes()
    let whole = values.count / 8 * 8
    if let block = RoundingLanes(values, rounded, count: whole, leastNormal: leastNormal) {
      lanes = block
    } else {
      add(0..<whole, values, rounded, places, to: &lanes)
    }
    add(whole..<values.count, values, rounded, places, to: &lanes)
    count += values.count
    low = min(low, lanes.low.min())
    high = max(high, lanes.high.max())
    worst = max(worst, lanes.worst.max())
    subnormal += Int(lanes.subnormal.wrappedSum())
    zeroed += Int(lanes.zeroed.wrappedSum())
    errors += lanes.errors.sum()
    squares += lanes.squares.sum()
  }

  /// Adds the values at some positions, one by one.
  private mutating func add(
    _ positions: Range<Int>, _ values: UnsafeBufferPointer<Float>,
    _ rounded: UnsafeBufferPointer<Float>, _ places: [Range<Int>], to lanes: inout RoundingLanes
  ) {
    var start = 0
    for range in places where start < positions.upperBound {
      for position in positions.clamped(to: start..<start + range.count) {
        add(
          values[position], rounded[position], at: range.lowerBound + position - start,
          to: &lanes, position % 8)
      }
      start += range.count
    }
  }

  private mutating func add(
    _ value: Float, _ rounded: Float, at index: Int, to lanes: inout RoundingLanes, _ lane: Int
  ) {
    guard value.isFinite else {
      nonFinite += 1
      return
    }
    lanes.low[lane] = min(lanes.low[lane], value)
    lanes.high[lane] = max(lanes.high[lane], value)
    guard rounded.isFinite else { return overflow.note(Double(value), at: index) }
    let error = value - rounded
    if value != 0 {
      lanes.worst[lane] = max(lanes.worst[lane], (error / value).magnitude)
      if rounded == 0 {
        lanes.zeroed[lane] += 1
      } else if value.isNormal,
        rounded.magnitude.bitPattern < UInt32(bitPattern: leastNormal)
      {
        lanes.subnormal[lane] += 1
      }
    }
    lanes.errors[lane] += Double(error) * Double(error)
    lanes.squares[lane] += Double(value) * Double(value)
  }

  /// The accumulated result.
  var result: Rounding {
    Rounding(
      count: count, range: low <= high ? low + 0...high + 0 : nil,
      nonFinite: nonFinite - unreadable, overflow: overflow, subnormal: subnormal, zeroed: zeroed,
      worstRelativeError: worst,
      rmsRelativeError: squares > 0 ? Float((errors / squares).squareRoot()) : 0)
  }
}
