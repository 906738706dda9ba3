import ModelIR

extension TensorSource {
  /// Counts overflows of values that are not where a file has them one after the other: a piece at a time.
  func overflows(ofFloat64In range: Range<Int>) throws(NetconvError) -> Overflow {
    var overflow = Overflow()
    guard elementType == .float64 else { return overflow }
    let piece = UnsafeMutableBufferPointer<Double>.allocate(capacity: min(range.count, 1 << 16))
    defer { piece.deallocate() }
    var start = range.lowerBound
    while start < range.upperBound {
      let part = start..<min(start + piece.count, range.upperBound)
      let values = UnsafeMutableBufferPointer(rebasing: piece[..<part.count])
      try read(part, into: values)
      overflow.add(
        Overflow(ofFloat64: UnsafeRawBufferPointer(values), .native, from: part.lowerBound))
      start = part.upperBound
    }
    return overflow
  }
}
