import Files
import ModelIR

/// Values that lie one after the other in a file, little-endian.
struct FileTensorSource: TensorSource {
  let file: RandomAccessFile
  /// Where the first value begins, in bytes.
  let offset: Int
  let elementType: ElementType
  let count: Int

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    let start = offset + range.lowerBound * elementType.byteCount
    if elementType == .float32 {
      try file.read(at: start, into: UnsafeMutableRawBufferPointer(values))
      for index in values.indices {
        values[index] = Float(bitPattern: UInt32(littleEndian: values[index].bitPattern))
      }
      return
    }
    var position = 0
    let bytes = start..<start + range.count * elementType.byteCount
    try file.forEachChunk(in: bytes) { chunk throws(NetconvError) in
      let count = chunk.count / elementType.byteCount
      elementType.decode(
        chunk, .little,
        into: UnsafeMutableBufferPointer(rebasing: values[position..<position + count]))
      position += count
    }
  }
}
