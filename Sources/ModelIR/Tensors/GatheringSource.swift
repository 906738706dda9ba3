/// A source that assembles its values from non-contiguous parts.
package protocol GatheringSource: TensorSource {
  /// Reads a range of values in either precision.
  ///
  /// - Throws: any error in reading.
  func gather<Value: StreamedValue>(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Value>
  ) throws(NetconvError)
}

extension GatheringSource {
  package func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try gather(range, into: values)
  }

  package func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Double>
  ) throws(NetconvError) {
    try gather(range, into: values)
  }

  /// Counts overflows, piece by piece.
  package func overflows(in range: Range<Int>) throws(NetconvError) -> Overflow {
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
