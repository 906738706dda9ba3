/// A byte order.
public enum ByteOrder: Sendable, Equatable {
  /// Little endian.
  case little
  /// Big endian.
  case big

  /// The native byte order of this machine.
  public static var native: ByteOrder { 1.littleEndian == 1 ? .little : .big }
}

extension ElementType {
  /// Converts stored values to float32, rounding to nearest even; float16 and bfloat16 are exact.
  ///
  /// - Precondition: `bytes` holds as many values as `values` has elements.
  public func decode(
    _ bytes: UnsafeRawBufferPointer, _ order: ByteOrder,
    into values: UnsafeMutableBufferPointer<Float>
  ) {
    if self == .float16, order == .native {
      Half.decode(bytes, into: values)
    } else {
      decodeEach(bytes, order, into: values)
    }
  }

  /// Converts stored values to float64; only 64-bit integers are rounded.
  ///
  /// - Precondition: `bytes` holds as many values as `values` has elements.
  public func decode(
    _ bytes: UnsafeRawBufferPointer, _ order: ByteOrder,
    into values: UnsafeMutableBufferPointer<Double>
  ) {
    decodeEach(bytes, order, into: values)
  }

  @inline(__always)
  private func decodeEach<Value: BinaryFloatingPoint>(
    _ bytes: UnsafeRawBufferPointer, _ order: ByteOrder,
    into values: UnsafeMutableBufferPointer<Value>
  ) {
    switch self {
    case .float16: convert(bytes, order, values) { Value(Half.float(from: $0 as UInt16)) }
    case .bfloat16:
      convert(bytes, order, values) { Value(Float(bitPattern: UInt32($0 as UInt16) << 16)) }
    case .float32: convert(bytes, order, values) { Value(Float(bitPattern: $0)) }
    case .float64: convert(bytes, order, values) { Value(Double(bitPattern: $0)) }
    case .int8: convert(bytes, order, values) { Value($0 as Int8) }
    case .uint8: convert(bytes, order, values) { Value($0 as UInt8) }
    case .int16: convert(bytes, order, values) { Value($0 as Int16) }
    case .uint16: convert(bytes, order, values) { Value($0 as UInt16) }
    case .int32: convert(bytes, order, values) { Value($0 as Int32) }
    case .uint32: convert(bytes, order, values) { Value($0 as UInt32) }
    case .int64: convert(bytes, order, values) { Value($0 as Int64) }
    case .uint64: convert(bytes, order, values) { Value($0 as UInt64) }
    }
  }

  @inline(__always)
  private func convert<Pattern: FixedWidthInteger, Value>(
    _ bytes: UnsafeRawBufferPointer, _ order: ByteOrder,
    _ values: UnsafeMutableBufferPointer<Value>, _ value: (Pattern) -> Value
  ) {
    for index in values.indices {
      let stored = bytes.loadUnaligned(
        fromByteOffset: index * MemoryLayout<Pattern>.size, as: Pattern.self)
      values[index] = value(
        order == .little ? Pattern(littleEndian: stored) : Pattern(bigEndian: stored))
    }
  }
}
