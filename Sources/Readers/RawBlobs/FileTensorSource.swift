import Files
import ModelIR

/// Values that lie one after the other in a file.
struct FileTensorSource: TensorSource {
  let file: RandomAccessFile
  /// Where the first value begins, in bytes.
  let offset: Int
  let elementType: ElementType
  let count: Int
  /// The order of the bytes of a value.
  var byteOrder = ByteOrder.little

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    // What lies behind the values belongs to others.
    guard range.upperBound <= count else {
      throw NetconvError.tooFewValues(count, wanted: range.upperBound).inFile(file.path)
    }
    if elementType == .float32, byteOrder == .little {
      try file.read(at: bytes(range).lowerBound, into: UnsafeMutableRawBufferPointer(values))
      for index in values.indices {
        values[index] = Float(bitPattern: UInt32(littleEndian: values[index].bitPattern))
      }
      return
    }
    var position = 0
    try file.forEachChunk(in: bytes(range)) { chunk throws(NetconvError) in
      let count = chunk.count / elementType.byteCount
      elementType.decode(
        chunk, byteOrder,
        into: UnsafeMutableBufferPointer(rebasing: values[position..<position + count]))
      position += count
    }
  }

  func overflows(in range: Range<Int>) throws(NetconvError) -> Overflow {
    var overflow = Overflow()
    guard elementType == .float64 else { return overflow }
    var index = range.lowerBound
    try file.forEachChunk(in: bytes(range)) { chunk throws(NetconvError) in
      overflow.add(Overflow(ofFloat64: chunk, byteOrder, from: index))
      index += chunk.count / elementType.byteCount
    }
    return overflow
  }

  private func bytes(_ range: Range<Int>) -> Range<Int> {
    let start = offset + range.lowerBound * elementType.byteCount
    return start..<start + range.count * elementType.byteCount
  }
}
