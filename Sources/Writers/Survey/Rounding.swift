import Documents
import ModelIR

/// The effect of an element type on the finite values of a tensor.
public struct Rounding: Sendable, Equatable {
  /// The number of values, finite or not.
  public internal(set) var count: Int
  /// The smallest and the largest finite value in the source; `nil` if there are none.
  public internal(set) var range: ClosedRange<Float>?
  /// The number of infinities and NaNs in the source.
  public internal(set) var nonFinite = 0
  /// The values that become infinite.
  public internal(set) var overflow = Overflow()
  /// The number of normal values that become subnormal.
  public internal(set) var subnormal = 0
  /// The number of non-zero values that become zero.
  public internal(set) var zeroed = 0
  /// The largest relative error among values that stay finite.
  public internal(set) var worstRelativeError: Float = 0
  /// The root of the sum of squared errors divided by the sum of squared values, over values that stay finite.
  ///
  /// The sums are in Double: the way a tensor is split only affects bits that a float32 does not have.
  public internal(set) var rmsRelativeError: Float = 0
}

extension TensorStatistics {
  /// Returns the statistics with the effects of rounding added.
  func adding(_ rounding: Rounding?) -> TensorStatistics {
    guard let rounding else { return self }
    var statistics = self
    if rounding.overflow.count > 0 {
      statistics.overflowed = rounding.overflow.count
      statistics.firstOverflowed = rounding.overflow.first
      statistics.largestOverflowed = rounding.overflow.largest
    }
    if rounding.subnormal > 0 { statistics.subnormal = rounding.subnormal }
    if rounding.zeroed > 0 { statistics.zeroed = rounding.zeroed }
    if rounding.worstRelativeError > 0 {
      statistics.worstRelativeError = rounding.worstRelativeError
      statistics.rmsRelativeError = rounding.rmsRelativeError
    }
    return statistics
  }
}

extension ElementType {
  /// The relative RMS error above which a tensor has lost more than the type explains.
  ///
  /// - float16 and bfloat16 round a normal number by at most a factor of 2⁻¹¹ and 2⁻⁸. The error of the whole tensor
  ///   can exceed that only if it consists mainly of subnormal numbers.
  /// - int8 with scale s has an RMS rounding error of s/√12, which is 1/440 of a channel's largest value: 2 % means
  ///   that this value is about nine times the channel's RMS, so that a few outliers leave no precision to the others.
  /// - float32 is the type in which netconv reads values.
  public var rmsRelativeErrorBound: Float {
    switch self {
    case .float16: 0x1p-11
    case .bfloat16: 0x1p-8
    case .int8: 0.02
    case .float32, .float64, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64: .infinity
    }
  }

  /// The bit pattern of the smallest float32 that is a normal number in this type; 0 if there is none.
  var leastNormalPattern: Int32 {
    switch self {
    case .float16: 0x3880_0000
    case .bfloat16, .float32: 0x0080_0000
    case .float64, .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64: 0
    }
  }
}
