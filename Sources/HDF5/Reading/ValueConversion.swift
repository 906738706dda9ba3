import ModelIR

/// Conversion of stored numbers, in this machine's byte order, to float32.
///
/// Done here and not by libhdf5, whose way of rounding depends on the byte order in the file.
enum ValueConversion {
  /// Converts as many numbers of `type` from `source` as `values` has places.
  static func convert(
    _ source: UnsafeRawBufferPointer, of type: ElementType,
    into values: UnsafeMutableBufferPointer<Float>
  ) {
    switch type {
    case .float16: convert(source, into: values, float32(fromFloat16:))
    case .float32: convert(source, into: values) { (value: Float) in value }
    case .float64: convert(source, into: values) { Float($0 as Double) }
    case .int8: convert(source, into: values) { Float($0 as Int8) }
    case .uint8: convert(source, into: values) { Float($0 as UInt8) }
    case .int16: convert(source, into: values) { Float($0 as Int16) }
    case .uint16: convert(source, into: values) { Float($0 as UInt16) }
    case .int32: convert(source, into: values) { Float($0 as Int32) }
    case .uint32: convert(source, into: values) { Float($0 as UInt32) }
    case .int64: convert(source, into: values) { Float($0 as Int64) }
    case .uint64: convert(source, into: values) { Float($0 as UInt64) }
    }
  }

  @inline(__always)
  private static func convert<Stored: BitwiseCopyable>(
    _ source: UnsafeRawBufferPointer, into values: UnsafeMutableBufferPointer<Float>,
    _ float32: (Stored) -> Float
  ) {
    let stride = MemoryLayout<Stored>.stride
    for number in values.indices {
      values[number] = float32(
        source.loadUnaligned(fromByteOffset: number * stride, as: Stored.self))
    }
  }

  /// The float32 of equal value; a NaN keeps its sign and payload.
  ///
  /// Swift has no Float16 on macOS for Intel.
  private static func float32(fromFloat16 bits: UInt16) -> Float {
    let sign = UInt32(bits >> 15) << 31
    let exponent = UInt32(bits >> 10 & 0x1F)
    let mantissa = UInt32(bits & 0x3FF)
    switch exponent {
    case 0:
      // Subnormal: a multiple of 2^-24.
      let magnitude = Float(mantissa) * 0x1p-24
      return Float(bitPattern: sign | magnitude.bitPattern)
    case 31:
      return Float(bitPattern: sign | 0x7F80_0000 | mantissa << 13)
    default:
      return Float(bitPattern: sign | (exponent + 112) << 23 | mantissa << 13)
    }
  }
}
