import Execution
import ModelIR

/// The errors that a layer makes in floating point, at random but the same every time.
struct Disturbance {
  private let precision: Precision
  private var random: SplitMix64

  /// The errors of one layer in one run.
  init(_ precision: Precision, layer: Int, sample: Int) {
    self.precision = precision
    let run = UInt64(sample) << 1 | (precision == .float32 ? 0 : 1)
    random = SplitMix64(seed: run << 32 | UInt64(UInt32(truncatingIfNeeded: layer)))
  }

  /// `values` as a layer reads them, each off by `error` of itself.
  mutating func disturb(_ values: NDArray<Double>, by error: Double) -> NDArray<Double> {
    // A loop of its own: a closure for each of millions of values takes longer than all sums.
    var disturbed = values
    var random = random
    disturbed.values.withUnsafeMutableBufferPointer { values in
      for index in values.indices { values[index] += values[index] * error * random.sign() }
    }
    self.random = random
    return disturbed
  }

  /// `values` as a layer gives them.
  ///
  /// - Parameter isStored: whether they are rounded to the precision.
  mutating func disturb(_ values: NDArray<Double>, isStored: Bool) -> NDArray<Double> {
    guard precision == .float16, isStored else {
      return disturb(values, by: 4 * singleRoundoff)
    }
    var disturbed = values
    var random = random
    disturbed.values.withUnsafeMutableBufferPointer { values in
      for index in values.indices {
        values[index] += max(abs(values[index]) * halfRoundoff, halfSubnormal) * random.sign()
      }
    }
    self.random = random
    return disturbed
  }
}
