import ModelIR

/// Values whose bytes are in memory, as a file had them.
struct MemoryTensorSource: TensorSource {
  let bytes: [UInt8]
  let elementType: ElementType
  let byteOrder: ByteOrder

  var count: Int { bytes.count / elementType.byteCount }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    bytes.withUnsafeBytes { elementType.decode(part(range, of: $0), byteOrder, into: values) }
  }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Double>
  ) throws(NetconvError) {
    bytes.withUnsafeBytes { elementType.decode(part(range, of: $0), byteOrder, into: values) }
  }

  func overflows(in range: Range<Int>) throws(NetconvError) -> Overflow {
    guard elementType == .float64 else { return Overflow() }
    return bytes.withUnsafeBytes {
      Overflow(ofFloat64: part(range, of: $0), byteOrder, from: range.lowerBound)
    }
  }

  private func part(
    _ range: Range<Int>, of bytes: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    let size = elementType.byteCount
    return UnsafeRawBufferPointer(
      rebasing: bytes[range.lowerBound * size..<range.upperBound * size])
  }
}
