import Files
import ModelIR

/// Contiguous tensor values in a file.
struct FileTensorSource: TensorSource {
  let file: RandomAccessFile
  /// The byte offset of the first value.
  let offset: Int
  let elementType: ElementType
  let count: Int
  /// The byte order of the values.
  var byteOrder = ByteOrder.little

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try check(range)
    if elementType == .float32, byteOrder == .little {
      try file.read(at: bytes(range).lowerBound, into: UnsafeMutableRawBufferPointer(values))
      // Only big-endian machines need to swap bytes.
      for index in values.indices where 1.littleEndian != 1 {
        values[index] = Float(bitPattern: UInt32(littleEndian: values[index].bitPattern))
      }
      return
    }
    try forEachChunk(of: range) { chunk, part in
      elementType.decode(
        chunk, byteOrder, into: UnsafeMutableBufferPointer(rebasing: values[part]))
    }
  }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Double>
  ) throws(NetconvError) {
    try check(range)
    try forEachChunk(of: range) { chunk, part in
      elementType.decode(
        chunk, byteOrder, into: UnsafeMutableBufferPointer(rebasing: values[part]))
    }
  }

  func overflows(in range: Range<Int>) throws(NetconvError) -> Overflow {
    var overflow = Overflow()
    guard elementType == .float64 else { return overflow }
    try forEachChunk(of: range) { chunk, part in
      overflow.add(Overflow(ofFloat64: chunk, byteOrder, from: range.lowerBound + part.lowerBound))
    }
    return overflow
  }

  /// Checks that a range does not extend beyond the values.
  private func check(_ range: Range<Int>) throws(NetconvError) {
    guard range.upperBound <= count else {
      throw NetconvError.tooFewValues(count, wanted: range.upperBound).inFile(file.path)
    }
  }

  /// Reads the values chunk by chunk, and passes each chunk with its indices relative to `range`.
  private func forEachChunk(
    of range: Range<Int>, _ body: (UnsafeRawBufferPointer, Range<Int>) -> Void
  ) throws(NetconvError) {
    var position = 0
    try file.forEachChunk(in: bytes(range)) { chunk throws(NetconvError) in
      let count = chunk.count / elementType.byteCount
      body(chunk, position..<position + count)
      position += count
    }
  }

  private func bytes(_ range: Range<Int>) -> Range<Int> {
    let start = offset + range.lowerBound * elementType.byteCount
    return start..<start + range.count * elementType.byteCount
  }
}
