import ModelIR

extension ElementType {
  /// Whether values are written as they are in memory.
  var isNative: Bool { self == .float32 && ByteOrder.native == .little }

  /// Brings `values` into the form in which they are written, little-endian.
  ///
  /// - Parameter bytes: as long as the values in this type.
  /// - Precondition: the type is float32 or float16; targets take no other.
  func encode(_ values: UnsafeBufferPointer<Float>, into bytes: UnsafeMutableRawBufferPointer) {
    switch self {
    case .float32:
      bytes.copyMemory(from: UnsafeRawBufferPointer(values))
      if ByteOrder.native == .big { swapBytes(of: bytes, as: UInt32.self) }
    case .float16:
      Half.encode(values, into: bytes)
      if ByteOrder.native == .big { swapBytes(of: bytes, as: UInt16.self) }
    default:
      preconditionFailure("\(self) is not a type that targets take")
    }
  }

  private func swapBytes<Pattern: FixedWidthInteger>(
    of bytes: UnsafeMutableRawBufferPointer, as pattern: Pattern.Type
  ) {
    for offset in stride(from: 0, to: bytes.count, by: MemoryLayout<Pattern>.size) {
      let stored = bytes.loadUnaligned(fromByteOffset: offset, as: pattern)
      bytes.storeBytes(of: stored.byteSwapped, toByteOffset: offset, as: pattern)
    }
  }

  /// What of `values` remains when they are written in this type.
  package func round(_ values: UnsafeMutableBufferPointer<Float>) {
    if self == .float16 { Half.round(values) }
  }

  /// The values that are finite, and infinite in this type.
  ///
  /// - Parameter start: the index of the first value.
  func overflows(of values: UnsafeBufferPointer<Float>, from start: Int) -> Overflow {
    var overflow = Overflow()
    guard self == .float16, !Half.areInRange(values) else { return overflow }
    for index in values.indices where values[index].isFinite {
      if Half.float(from: Half.bits(from: values[index])).isInfinite {
        overflow.note(start + index)
      }
    }
    return overflow
  }
}
