import Documents
import ModelIR

/// What becomes of the finite values of a tensor when they are written in a type.
public struct Rounding: Sendable, Equatable {
  /// The number of values, finite or not.
  public internal(set) var count: Int
  /// The smallest and the largest finite value of the source; `nil` if there is none.
  public internal(set) var range: ClosedRange<Float>?
  /// How many are infinite or not a number in the source.
  public internal(set) var nonFinite = 0
  /// Those that become infinite.
  public internal(set) var overflow = Overflow()
  /// How many become subnormal, though they were not.
  public internal(set) var subnormal = 0
  /// How many become zero, though they were not.
  public internal(set) var zeroed = 0
  /// The largest error of one value, relative to it; of those that stay finite.
  public internal(set) var worstRelativeError: Float = 0
  /// The root of the sum of all squared errors over the sum of all squared values; of those that stay finite.
  ///
  /// The sums are of doubles: how a tensor is parted changes bits of them that a float32 does not have.
  public internal(set) var rmsRelativeError: Float = 0
}

extension TensorStatistics {
  /// The same with what was lost on the way.
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
  /// The relative RMS error past which a tensor has suffered more than the type explains.
  ///
  /// - float16 and bfloat16 round a normal number by at most 2⁻¹¹ and 2⁻⁸ of it. The whole tensor can only be off
  ///   by more if subnormal numbers make up its weight.
  /// - int8 rounds by s/√12 of the scale s in the mean, which is 1/440 of a channel's largest value: 2 % means that
  ///   this is some nine times the channel's RMS, so that a few outliers leave no steps to the others.
  /// - float32 is what netconv reads values as.
  public var rmsRelativeErrorBound: Float {
    switch self {
    case .float16: 0x1p-11
    case .bfloat16: 0x1p-8
    case .int8: 0.02
    case .float32, .float64, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64: .infinity
    }
  }

  /// The pattern of the smallest float32 that is a normal number in this type; 0 where there is no such thing.
  var leastNormalPattern: Int32 {
    switch self {
    case .float16: 0x3880_0000
    case .bfloat16, .float32: 0x0080_0000
    case .float64, .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64: 0
    }
  }
}
