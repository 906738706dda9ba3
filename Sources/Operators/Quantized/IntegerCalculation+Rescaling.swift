import ModelIR

// Changes of the scale.

extension IntegerCalculation {
  /// Rescales integers.
  ///
  /// Source: tensorflow/lite/kernels/quantize.cc; internal/reference/requantize.h.
  func rescaled(_ x: QuantizedArray) -> [Int] {
    rescaled(x, by: QuantizedMultiplier(Double(x.quantization.scale) / Double(output.scale)))
  }

  /// Multiplies integers without their zero point, adds that of the output, and limits the results.
  func rescaled(_ x: QuantizedArray, by multiplier: QuantizedMultiplier) -> [Int] {
    x.centred.map { limited(multiplier(Int32($0))) }
  }

  /// Returns the output for a rescaled result: with the zero point, and within the limits.
  func limited(_ result: Int32) -> Int { (Int(result) + output.zeroPoint).clamped(to: limits) }

  /// Rescales an input of a concatenation, in float32.
  ///
  /// Source: tensorflow/lite/kernels/internal/reference/concatenation.h.
  func joined(_ x: QuantizedArray) -> [Int] {
    guard x.quantization.scale != output.scale || x.quantization.zeroPoint != output.zeroPoint
    else { return x.integers }
    let scale = x.quantization.scale * (1 / output.scale)
    let bias = Float(-x.quantization.zeroPoint) * scale
    return x.integers.map {
      let value = (Float($0) * scale + bias).rounded(.toNearestOrAwayFromZero)
      return (Int(value) + output.zeroPoint).clamped(to: limits)
    }
  }
}
