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
      elementType.decode(chunk, into: UnsafeMutableBufferPointer(rebasing: values[position...]))
      position += count
    }
  }
}

extension ElementType {
  /// Converts little-endian values to float32, rounding to nearest even.
  fileprivate func decode(
    _ bytes: UnsafeRawBufferPointer, into values: UnsafeMutableBufferPointer<Float>
  ) {
    switch self {
    case .float16: convert(bytes, UInt16.self, values) { Half.float(from: $0) }
    case .float32: convert(bytes, UInt32.self, values) { Float(bitPattern: $0) }
    case .float64: convert(bytes, UInt64.self, values) { Float(Double(bitPattern: $0)) }
    case .int8: convert(bytes, Int8.self, values) { Float($0) }
    case .uint8: convert(bytes, UInt8.self, values) { Float($0) }
    case .int16: convert(bytes, Int16.self, values) { Float($0) }
    case .uint16: convert(bytes, UInt16.self, values) { Float($0) }
    case .int32: convert(bytes, Int32.self, values) { Float($0) }
    case .uint32: convert(bytes, UInt32.self, values) { Float($0) }
    case .int64: convert(bytes, Int64.self, values) { Float($0) }
    case .uint64: convert(bytes, UInt64.self, values) { Float($0) }
    }
  }

  private func convert<Pattern: FixedWidthInteger>(
    _ bytes: UnsafeRawBufferPointer, _ type: Pattern.Type,
    _ values: UnsafeMutableBufferPointer<Float>, _ value: (Pattern) -> Float
  ) {
    for index in 0..<bytes.count / MemoryLayout<Pattern>.size {
      let pattern = bytes.loadUnaligned(
        fromByteOffset: index * MemoryLayout<Pattern>.size, as: Pattern.self)
      values[index] = value(Pattern(littleEndian: pattern))
    }
  }
}
