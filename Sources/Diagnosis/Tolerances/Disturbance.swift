import Execution
import ModelIR
import Operators

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

extension Layer {
  /// The products in a sum, or the values that one value is made of.
  ///
  /// - Parameters:
  ///   - inputs: what the layer reads.
  ///   - output: what it gives.
  func fanIn(_ inputs: [NDArray<Double>], _ output: NDArray<Double>) -> Int {
    let products = parameters.compactMap(\.spec.productsPerOutput).reduce(0, +)
    if products > 0 { return products }
    let read = inputs.reduce(0) { $0 + $1.count }
    switch operation {
    // Each value depends on all of the sample, at most.
    case is GroupNormalization, is LayerNormalization, is RMSNormalization, is UnitNormalization:
      return read
    case is Dot: return inputs[0].shape.last ?? 1
    case let pooling as AveragePooling2D:
      return pooling.window.size.height * pooling.window.size.width
    default: return max(1, read / max(1, output.count))
    }
  }
}
