import ModelIR

// Sums and products of two inputs.

extension IntegerCalculation {
  /// Adds or subtracts two inputs on a common finer scale.
  ///
  /// Source: tensorflow/lite/kernels/add.cc and sub.cc; internal/reference/add.h and sub.h.
  func sums(
    _ a: QuantizedArray, _ b: QuantizedArray, sign: Int32
  ) throws(NetconvError) -> [Int] {
    let bits = output.type == .int16 ? 15 : 20
    let common = 2 * Double(max(a.quantization.scale, b.quantization.scale))
    let factors = [a, b].map { QuantizedMultiplier(Double($0.quantization.scale) / common) }
    let last = QuantizedMultiplier(common / Double(Float(1 << bits) * output.scale))
    return try combined(a, b) { first, second in
      let sum =
        factors[0](Int32(truncatingIfNeeded: first << bits))
        &+ sign &* factors[1](Int32(truncatingIfNeeded: second << bits))
      return limited(last(sum))
    }
  }

  /// Multiplies two inputs.
  ///
  /// Source: tensorflow/lite/kernels/mul.cc; internal/reference/integer_ops/mul.h.
  func products(
    _ a: QuantizedArray, _ b: QuantizedArray
  ) throws(NetconvError) -> [Int] {
    let multiplier = QuantizedMultiplier(
      Double(a.quantization.scale * b.quantization.scale / output.scale))
    return try combined(a, b) { limited(multiplier(Int32($0 * $1))) }
  }

  /// Combines integers without their zero points, with broadcasting.
  private func combined(
    _ a: QuantizedArray, _ b: QuantizedArray, _ combine: (Int, Int) -> Int
  ) throws(NetconvError) -> [Int] {
    let (first, second) = (a.centred, b.centred)
    let (size, count) = (size, try product(size))
    guard a.shape != size || b.shape != size else {
      return (0..<count).map { combine(first[$0], second[$0]) }
    }
    let places = [a, b].map { BroadcastPlaces(of: $0.shape, in: size) }
    return (0..<count).map { combine(first[places[0][$0]], second[places[1][$0]]) }
  }
}
