import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension IntegerCalculation {
  /// Computes a softmax along the last axis.
  func softmax(_ x: QuantizedArray) -> [Int] {
    let depth = max(1, x.shape.last ?? 1)
    let rows = stride(from: 0, to: x.integers.count, by: depth).map {
      x.integers[$0..<$0 + depth]
    }
    if x.quantization.type == .int16 {
      let softmax = WideSoftmax(x.quantization.scale)
      return rows.flatMap { softmax($0) }
    }
    let softmax = NarrowSoftmax(x.quantization.scale)
    return rows.flatMap { row in
      softmax(row).map { (Int($0) + output.zeroPoint).clamped(to: limits) }
    }
  }
}

/// A softmax of integers of 8 bits in fixed point; results are in units of 1/256.
///
/// Source: tensorflow/lite/kernels/internal/reference/softmax.h, `Softmax`; internal/quantization_util.cc,
/// `PreprocessSoftmaxScaling` and `CalculateInputRadius`; internal/common.h, `GetReciprocal`.
private struct NarrowSoftmax {
  private let multiplier: QuantizedMultiplier
  /// The smallest difference from the largest value whose power is not taken for 0.
  private let lowest: Int

  init(_ scale: Float) {
    multiplier = QuantizedMultiplier(min(Double(scale) * 0x1p26, 0x1p31 - 1))
    lowest = -Int(31 * 0x1p26 / Double(1 << multiplier.exponent))
  }

  func callAsFunction(_ row: ArraySlice<Int>) -> [Int32] {
    let largest = row.max() ?? 0
    let powers = row.map { integer -> Int32? in
      let difference = integer - largest
      guard difference >= lowest else { return nil }
      return FixedPoint.exponential(multiplier(Int32(difference)))
    }
    // Sums have 12 integer bits.
    let sum = powers.reduce(Int32(0)) { $0 + ($1?.roundedShift(12) ?? 0) }
    let headroom = sum.leadingZeroBitCount
    let fraction = Int32(truncatingIfNeeded: Int64(sum) << Int64(headroom) - 1 << 31)
    let inverse = FixedPoint.reciprocal(fraction)
    return powers.map { power in
      guard let power else { return 0 }
      return inverse.roundedHighProduct(power).roundedShift(12 - headroom + 31 - 8)
    }
  }
}

/// A softmax of integers of 16 bits, with tables of the exponential and the reciprocal.
///
/// Source: tensorflow/lite/kernels/internal/reference/softmax.h, `SoftmaxInt16`.
private struct WideSoftmax {
  private static let exponential = FixedTable(of: { exp($0) }, from: -10, to: 0)
  private static let reciprocal = FixedTable(of: { 1 / (1 + $0) }, from: 0, to: 1)

  private let multiplier: QuantizedMultiplier

  /// - Parameter scale: the scale of the input; differences of 10 come to 65535.
  init(_ scale: Float) { multiplier = QuantizedMultiplier(Double(scale) / (10.0 / 65535)) }

  func callAsFunction(_ row: ArraySlice<Int>) -> [Int] {
    let largest = row.max() ?? 0
    let powers = row.map { integer in
      let difference = Int(multiplier(Int32(integer - largest)))
      return Self.exponential[(difference + 32767).clamped(to: -32768...32767)]
    }
    let sum = powers.reduce(0, +)
    let headroom = Int32(truncatingIfNeeded: sum).leadingZeroBitCount
    // From 1...2 to the table's places.
    let normalized = (sum << (headroom - 1) + 1 << 13) >> 14
    let inverse = Self.reciprocal[(normalized - 3 << 15).clamped(to: -32768...32767)]
    let shift = 31 - headroom
    return powers.map { (($0 * inverse + 1 << (shift - 1)) >> shift).clamped(to: 0...32767) }
  }
}

/// A function in a table of 512 intervals, with interpolation; numbers are in units of 2⁻¹⁵.
///
/// Source: tensorflow/lite/kernels/internal/common.h, `LUTPopulate` and `LUTLookup`.
private struct FixedTable: Sendable {
  private let entries: [Int]

  init(of function: (Double) -> Double, from first: Double, to last: Double) {
    let step = (last - first) / 512
    func scaled(_ place: Double) -> Double { function(first + place * step) * 32768 }
    func rounded(_ number: Double) -> Double { number.rounded(.toNearestOrAwayFromZero) }
    entries =
      (0..<512).map { index in
        let place = Double(index)
        let sample = rounded(scaled(place))
        let between = rounded((scaled(place + 1) + sample) / 2)
        // Half of what the interpolation is off in the middle.
        let bias = rounded((between - rounded(scaled(place + 0.5))) / 2)
        return Int(max(-32768, min(32767, sample - bias)))
      } + [Int(max(-32768, min(32767, rounded(scaled(512)))))]
  }

  subscript(_ value: Int) -> Int {
    let place = 256 + value >> 7
    let slope = entries[place + 1] - entries[place]
    return entries[place] + (slope * (value & 0x7F) + 64) >> 7
  }
}
