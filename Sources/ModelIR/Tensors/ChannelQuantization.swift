/// A quantisation of values to integers from -127 to 127 with one scale per output channel.
///
/// The scheme is symmetric: there is no zero point, and -128 is not used.
public struct ChannelQuantization: Sendable, Equatable {
  /// The largest integer.
  public static let largest = 127

  /// The scales, one per channel.
  public let scales: [Float]
  /// The channel of each value.
  public let channels: ChannelMap

  /// Creates a quantisation with `scales`.
  ///
  /// - Precondition: there is a scale for each of `channels`.
  public init(scales: [Float], channels: ChannelMap) {
    precondition(scales.count == channels.count, "a scale for each channel")
    self.scales = scales
    self.channels = channels
  }

  /// Returns the scale of a channel whose largest magnitude is `largest`.
  ///
  /// The scale is `largest` / 127, rounded up to 17 significant bits: an integer up to 127 needs seven more, so every
  /// product fits the 24 bits of a float32 and is exact. The largest value becomes 127 and is restored as 127 times the
  /// scale, from which the same scale can be computed again. There are two exceptions:
  /// - Below the smallest normal number there are no 17 bits; the scale is a power of two, and the largest integer is
  ///   from 64 to 127.
  /// - Where 127 scales would overflow float32, the scale is rounded down; the largest value still rounds to 127.
  ///
  /// A channel of zeros has the scale 1, so that dividing by it is safe.
  /// - Precondition: `largest` is finite and not negative.
  public static func scale(forLargest largest: Float) -> Float {
    guard largest > 0 else { return 1 }
    let exact = Double(largest) / Double(Self.largest)
    guard exact >= Double(Float.leastNormalMagnitude) else {
      let power = Double(sign: .plus, exponent: exact.exponent, significand: 1)
      return Float(max(power < exact ? 2 * power : power, 0x1p-149))
    }
    let step = Double(sign: .plus, exponent: exact.exponent - 16, significand: 1)
    let scale = (exact / step).rounded(.up) * step
    return Float(scale * Double(Self.largest)).isFinite ? Float(scale) : Float(scale - step)
  }
}

// MARK: - Many values

extension ChannelQuantization {
  /// Writes `values` divided by their scales, rounded to integers, ties to even.
  ///
  /// - Parameters:
  ///   - start: the index of the first value in the tensor.
  ///   - integers: one byte for each value.
  public func encode(
    _ values: UnsafeBufferPointer<Float>, from start: Int,
    into integers: UnsafeMutableRawBufferPointer
  ) {
    precondition(integers.count >= values.count, "a byte for each value")
    forEachGroup(start..<start + values.count) { index, scale in
      let group = Self.load(values, index)
      integers.storeBytes(
        of: SIMD8<Int8>(truncatingIfNeeded: Self.integers(group, scale)), toByteOffset: index,
        as: SIMD8<Int8>.self)
    } single: { index, scale in
      let integer = Self.integers(SIMD8(repeating: values[index]), SIMD8(repeating: scale))[0]
      integers.storeBytes(of: Int8(truncatingIfNeeded: integer), toByteOffset: index, as: Int8.self)
    }
  }

  /// Replaces each of `values` by its dequantised value.
  ///
  /// - Parameter start: the index of the first value in the tensor.
  public func round(_ values: UnsafeMutableBufferPointer<Float>, from start: Int) {
    forEachGroup(start..<start + values.count) { index, scale in
      let group = Self.load(UnsafeBufferPointer(values), index)
      Self.store(SIMD8<Float>(Self.integers(group, scale)) * scale, values, index)
    } single: { index, scale in
      let integer = Self.integers(SIMD8(repeating: values[index]), SIMD8(repeating: scale))[0]
      values[index] = Float(integer) * scale
    }
  }

  /// Multiplies each of `integers` by its scale.
  ///
  /// - Parameter start: the index of the first value in the tensor.
  public func scale(_ integers: UnsafeMutableBufferPointer<Float>, from start: Int) {
    forEachGroup(start..<start + integers.count) { index, scale in
      Self.store(Self.load(UnsafeBufferPointer(integers), index) * scale, integers, index)
    } single: { index, scale in
      integers[index] *= scale
    }
  }

  /// Calls `group` with the scales of eight values at once where possible, and `single` for the others.
  @inline(__always)
  private func forEachGroup(
    _ range: Range<Int>, group: (Int, SIMD8<Float>) -> Void, single: (Int, Float) -> Void
  ) {
    scales.withUnsafeBufferPointer { scales in
      channels.forEachRun(in: range) { run in
        var index = run.values.lowerBound
        var channel = run.channel
        if run.step == 0 {
          let scale = SIMD8(repeating: scales[channel])
          while index + 8 <= run.values.upperBound {
            group(index, scale)
            index += 8
          }
        } else if run.step == 1 {
          while index + 8 <= run.values.upperBound {
            group(index, Self.load(scales, channel))
            index += 8
            channel += 8
          }
        }
        while index < run.values.upperBound {
          single(index, scales[channel])
          index += 1
          channel += run.step
        }
      }
    }
  }

  /// Returns the quotients rounded to integers.
  ///
  /// Double precision distinguishes them from ties: adding 1.5 · 2⁵² rounds in the adder, and leaves the integers in
  /// the lower bits.
  @inline(__always)
  private static func integers(_ values: SIMD8<Float>, _ scales: SIMD8<Float>) -> SIMD8<Int32> {
    let quotients = (SIMD8<Double>(values) / SIMD8<Double>(scales))
      .clamped(
        lowerBound: SIMD8(repeating: -Double(largest)),
        upperBound: SIMD8(repeating: Double(largest))
      )
    return SIMD8<Int32>(
      truncatingIfNeeded: unsafeBitCast(quotients + 0x1.8p52, to: SIMD8<Int64>.self))
  }

  @inline(__always)
  private static func load(_ values: UnsafeBufferPointer<Float>, _ index: Int) -> SIMD8<Float> {
    UnsafeRawBufferPointer(values)
      .loadUnaligned(fromByteOffset: 4 * index, as: SIMD8<Float>.self)
  }

  @inline(__always)
  private static func store(
    _ group: SIMD8<Float>, _ values: UnsafeMutableBufferPointer<Float>, _ index: Int
  ) {
    UnsafeMutableRawBufferPointer(values)
      .storeBytes(of: group, toByteOffset: 4 * index, as: SIMD8<Float>.self)
  }
}
