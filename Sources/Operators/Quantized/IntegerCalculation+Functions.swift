import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// Activations of single values.

extension IntegerCalculation {
  /// Applies a function to each value.
  ///
  /// Source: tensorflow/lite/kernels/activations.cc and elementwise.cc.
  func activated(
    _ x: QuantizedArray, _ function: ActivationFunction
  ) throws(NetconvError) -> [Int] {
    let (input, ratio) = (x.quantization, x.quantization.scale / output.scale)
    switch function {
    case .relu, .hardTanh: return rescaled(x, by: QuantizedMultiplier(Double(ratio)))
    case .leakyReLU(let slope):
      let above = QuantizedMultiplier(Double(ratio))
      let below = QuantizedMultiplier(Double(input.scale * Float(slope) / output.scale))
      return x.centred.map { limited($0 >= 0 ? above(Int32($0)) : below(Int32($0))) }
    case .hardSilu:
      let function = QuantizedHardSwish(input, output)
      return x.centred.map { limited(Int32(function(Int16($0)))) }
    case .sigmoid where output.type == .int16:
      let function = SigmoidTable(input.scale, plainShifts: 0...0)
      return x.integers.map { function.sigmoid($0) }
    case .tanh where output.type == .int16:
      let function = SigmoidTable(input.scale, plainShifts: 0...1)
      return x.integers.map { function.tanh($0) }
    case .sigmoid: return tabulated(x) { 1 / (1 + exp(-$0)) }
    case .tanh: return tabulated(x) { tanh($0) }
    case .elu: return tabulated(x) { $0 < 0 ? expm1($0) : $0 }
    default: throw .attributeOutOfRange("function", 0, 0...0)
    }
  }

  /// Applies a function of float32 to each of the 256 possible numbers.
  ///
  /// Source: tensorflow/lite/kernels/activations.cc, `PopulateLookupTable`.
  private func tabulated(_ x: QuantizedArray, _ function: (Float) -> Float) -> [Int] {
    let (input, inverse) = (x.quantization, 1 / output.scale)
    let first = input.range.lowerBound
    let table = input.range.map { integer in
      let value = function(input.scale * Float(integer - input.zeroPoint)) * inverse
      return (Int(value.rounded(.toNearestOrAwayFromZero)) + output.zeroPoint).clamped(to: limits)
    }
    return x.integers.map { table[$0 - first] }
  }
}

/// Hard swish in fixed point of 16 bits.
///
/// Source: tensorflow/lite/kernels/internal/reference/hard_swish.h.
private struct QuantizedHardSwish {
  private let output: QuantizedMultiplier
  private let limit: QuantizedMultiplier

  init(_ input: Quantization, _ output: Quantization) {
    let fine = 1 / 128 * input.scale
    self.output = QuantizedMultiplier(Double(fine / output.scale))
    limit = QuantizedMultiplier(Double(fine / (3 / 32768)))
  }

  func callAsFunction(_ x: Int16) -> Int16 {
    let fine = x << 7
    let scaled = fine.roundedHighProduct(output.upperHalf)
    var share = fine
    // The last doubling comes after the product, so that only it can saturate.
    if limit.exponent > 0 { share = share.saturatingShift(limit.exponent - 1) }
    share = share.roundedHighProduct(limit.upperHalf)
    if limit.exponent > 0 { share = share.saturatingShift(1) }
    if limit.exponent < 0 { share = share.roundedShift(-limit.exponent) }
    // From -1...1 to 0...1.
    share = Int16((Int32(share) + 32768) >> 1)
    // The product is cut off, which cancels the bias of the roundings before.
    let product = Int16(clamping: Int32(share) * Int32(scaled) / 32768)
    return product.roundedShift(-output.exponent)
  }
}

extension Int16 {
  fileprivate func saturatingShift(_ amount: Int) -> Int16 {
    Int16(clamping: Int64(self) << Int64(amount))
  }
}

extension QuantizedMultiplier {
  /// The mantissa rounded to 16 bits.
  fileprivate var upperHalf: Int16 {
    mantissa >= Int32.max - 32768 ? .max : Int16((mantissa + 32768) >> 16)
  }
}

/// A table of the sigmoid with interpolation, for values of 16 bits.
///
/// An entry is raised by half of what the interpolation lacks between it and the next.
///
/// Source: tensorflow/lite/kernels/internal/common.h, `sigmoid_table_uint16`; internal/reference/integer_ops: `logistic.h`,
/// `tanh.h`; tensorflow/lite/kernels/activations.cc, `SigmoidPrepare` and `TanhPrepare`.
private struct SigmoidTable {
  private static let entries: [Int] =
    (0..<255).map { index in
      func sigmoid(_ x: Double) -> Double { 65536 / (1 + exp(-x / 24)) }
      let x = Double(index)
      let lack = (sigmoid(x) + sigmoid(x + 1)) / 2 - sigmoid(x + 0.5)
      return Int((sigmoid(x) - lack / 2).rounded())
    } + [65535]

  private let multiplier: Int
  private let shift: Int

  /// - Parameters:
  ///   - scale: the scale of the input; a power of two up to 0.1 % counts as one.
  ///   - plainShifts: the powers of two, times 4096, that need no multiplication.
  init(_ scale: Float, plainShifts: ClosedRange<Int>) {
    let logarithm = log2(Double(scale))
    let plain = 12 + Int(logarithm.rounded())
    if abs(logarithm - logarithm.rounded()) < 1e-3, plainShifts.contains(plain) {
      (multiplier, shift) = (3 << plain, 0)
      return
    }
    var (factor, shift) = (Double(scale) * 4096 * 3, 0)
    while factor <= 32767 / 2, shift <= 30 {
      shift += 1
      factor *= 2
    }
    (multiplier, self.shift) = (Int(factor), shift)
  }

  func sigmoid(_ x: Int) -> Int {
    let scaled = scaled(x)
    let value = interpolated(scaled, bits: 9)
    return (scaled >= 0 ? value + 512 : 1 << 25 - value + 511) >> 10
  }

  func tanh(_ x: Int) -> Int {
    let scaled = scaled(x)
    let value = interpolated(scaled, bits: 8)
    return (scaled >= 0 ? value - 1 << 23 + 128 : 1 << 23 - value + 127) >> 8
  }

  private func scaled(_ x: Int) -> Int {
    (x * multiplier + (shift > 0 ? 1 << (shift - 1) : 0)) >> shift
  }

  private func interpolated(_ x: Int, bits: Int) -> Int {
    let (place, part) = (abs(x) >> bits, abs(x) & (1 << bits - 1))
    // Saturates one bit below the next power of two.
    guard place < 255 else { return bits == 9 ? 0x7FFF << 10 : 0xFFFF << 8 }
    let entry = Self.entries[place]
    return entry << bits + part * (Self.entries[place + 1] - entry)
  }
}
