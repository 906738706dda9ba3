import Execution
import Lowering
import ModelIR

/// Random but reproducible floating-point errors of a layer.
struct Disturbance {
  private let precision: Precision
  private var random: SplitMix64

  /// Creates the errors of one layer in one run.
  init(_ precision: Precision, layer: Int, sample: Int) {
    self.precision = precision
    let run = UInt64(sample) << 1 | (precision == .float32 ? 0 : 1)
    random = SplitMix64(seed: run << 32 | UInt64(UInt32(truncatingIfNeeded: layer)))
  }

  /// Adds errors to a layer's inputs: `error` relative to each value, with random signs.
  mutating func disturb(_ values: NDArray<Double>, by error: Double) -> NDArray<Double> {
    // A plain loop: a closure call per value would take longer than all sums.
    var disturbed = values
    var random = random
    disturbed.values.withUnsafeMutableBufferPointer { values in
      for index in values.indices { values[index] += values[index] * error * random.sign() }
    }
    self.random = random
    return disturbed
  }

  /// Adds errors to a layer's outputs.
  ///
  /// - Parameter isStored: True if they are rounded to the precision.
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
