import ModelIR

/// Tensor values in memory, as bytes.
struct ByteSource: TensorSource {
  let bytes: [UInt8]
  let elementType: ElementType
  let count: Int
  var byteOrder = ByteOrder.little

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    withBytes(of: range) { elementType.decode($0, byteOrder, into: values) }
  }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Double>
  ) throws(NetconvError) {
    withBytes(of: range) { elementType.decode($0, byteOrder, into: values) }
  }

  func overflows(in range: Range<Int>) throws(NetconvError) -> Overflow {
    guard elementType == .float64 else { return Overflow() }
    return withBytes(of: range) { Overflow(ofFloat64: $0, byteOrder, from: range.lowerBound) }
  }

  private func withBytes<Result>(
    of range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    bytes.withUnsafeBytes { bytes in
      let width = elementType.byteCount
      return body(
        UnsafeRawBufferPointer(
          rebasing: bytes[range.lowerBound * width..<range.upperBound * width]))
    }
  }
}
