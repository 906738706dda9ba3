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
    values.map { $0 + $0 * error * random.sign() }
  }

  /// `values` as a layer gives them.
  ///
  /// - Parameter isStored: whether they are rounded to the precision.
  mutating func disturb(_ values: NDArray<Double>, isStored: Bool) -> NDArray<Double> {
    guard precision == .float16, isStored else {
      return disturb(values, by: 4 * singleRoundoff)
    }
    return values.map { $0 + max(abs($0) * halfRoundoff, halfSubnormal) * random.sign() }
  }
}
