import Files
import ModelIR
import Numpy

/// An array in NumPy's `.npy` format.
public struct NumpyArray: Sendable, Equatable {
  /// The size of each axis.
  public let shape: [Int]
  /// The values in C order, rounded to float32.
  public let values: [Float]
  /// The dtype of the stored values.
  public let elementType: ElementType

  /// Reads numbers or Booleans, in either byte order, in C or Fortran order.
  ///
  /// - Throws: `badData` if the header is damaged, the dtype is not supported, or values are
  ///   missing.
  public init(_ bytes: [UInt8]) throws(NetconvError) {
    let (header, count) = try Self.checkedHeader(bytes)
    shape = header.shape
    elementType = header.elementType
    let stored = header.decode(bytes, at: header.dataOffset, count: count)
    values = header.isFortran ? Self.inCOrder(stored, shape: header.shape) : stored
  }

  /// The header of a complete `.npy` file and the number of values.
  ///
  /// - Throws: `badData`.
  static func checkedHeader(
    _ bytes: [UInt8]
  ) throws(NetconvError) -> (header: NumpyHeader, count: Int) {
    try checkedHeader(bytes, size: bytes.count)
  }

  /// The header and the number of values of a file with `size` bytes, whose header is in `bytes`.
  static func checkedHeader(
    _ bytes: [UInt8], size: Int
  ) throws(NetconvError) -> (header: NumpyHeader, count: Int) {
    guard bytes.count >= 12 else { throw .notNumpy }
    guard let header = try NumpyHeader(bytes) else {
      let text = try NumpyHeader.text(in: bytes)
      throw .wrongLength(size, header: text.upperBound, data: 0)
    }
    let count = try product(header.shape)
    let expected = try product([count, header.elementType.byteCount])
    guard size - header.dataOffset == expected else {
      throw .wrongLength(size, header: header.dataOffset, data: expected)
    }
    return (header, count)
  }

  /// Reads a file in chunks, so that only the values are in memory.
  ///
  /// - Parameters:
  ///   - header: The header at the start of `range`.
  ///   - count: The number of values in the rest of `range`.
  /// - Throws: `badData` if the budget or the memory is insufficient; `inputOutput`.
  init(
    _ header: NumpyHeader, count: Int, in file: RandomAccessFile, _ range: Range<Int>,
    _ budget: inout MemoryBudget
  ) throws(NetconvError) {
    let byteCount = try product([
      count, (header.isFortran ? 2 : 1) * MemoryLayout<Float>.size,
    ])
    try budget.take(byteCount)
    try MemoryBound.check(file: byteCount)
    shape = header.shape
    elementType = header.elementType
    let stored = try header.decode(file, range, count: count)
    values = header.isFortran ? Self.inCOrder(stored, shape: header.shape) : stored
  }

  /// Reads all values of an array.
  ///
  /// - Throws: `inputOutput` if its file cannot be read.
  package init(_ array: SampleArray) throws(NetconvError) {
    shape = array.shape
    elementType = array.elementType
    values = try array.values(of: 0..<array.count)
  }

  /// The extent according to the first bytes; `nil` if they are too few.
  ///
  /// - Throws: `badData`.
  package static func extent(_ bytes: [UInt8]) throws(NetconvError) -> ArrayExtent? {
    guard let header = try NumpyHeader(bytes) else { return nil }
    return try ArrayExtent(
      header: header.dataOffset, count: product(header.shape),
      stored: header.elementType.byteCount, decoded: MemoryLayout<Float>.size)
  }

  /// Rearranges values from Fortran order to C order.
  static func inCOrder<Value: StreamedValue>(_ values: [Value], shape: [Int]) -> [Value] {
    guard !values.isEmpty else { return values }
    var dimensions: [StridedCopy.Dimension] = []
    var stride = 1
    for size in shape {
      dimensions.append(StridedCopy.Dimension(size: size, stride: stride))
      stride *= size
    }
    let move = StridedCopy(dimensions).move
    return [Value](unsafeUninitializedCapacity: values.count) { buffer, count in
      values.withUnsafeBufferPointer { source in
        if let from = source.baseAddress, let to = buffer.baseAddress { Value.move(move, from, to) }
      }
      count = values.count
    }
  }
}

extension NumpyHeader {
  /// Reads the values in a range of a file that starts with the header.
  fileprivate func decode(
    _ file: RandomAccessFile, _ range: Range<Int>, count: Int
  ) throws(NetconvError) -> [Float] {
    try [Float](count: count) { values throws(NetconvError) in
      var done = 0
      // Chunks contain whole values.
      try file.forEachChunk(in: range.dropFirst(dataOffset)) { bytes throws(NetconvError) in
        let part = done..<done + bytes.count / elementType.byteCount
        elementType.decode(
          bytes, byteOrder, into: UnsafeMutableBufferPointer(rebasing: values[part]))
        done = part.upperBound
      }
    }
  }

  fileprivate func decode(_ bytes: [UInt8], at start: Int, count: Int) -> [Float] {
    [Float](unsafeUninitializedCapacity: count) { values, initializedCount in
      bytes.withUnsafeBytes { buffer in
        elementType.decode(
          UnsafeRawBufferPointer(rebasing: buffer[start...]), byteOrder,
          into: UnsafeMutableBufferPointer(rebasing: values[..<count]))
      }
      initializedCount = count
    }
  }
}

extension NumpyArray {
  /// Returns the bytes of an `.npy` file, version 1.0, with `array` as little-endian float32.
  ///
  /// The data offset is a multiple of 64 bytes.
  public static func encode(_ array: NDArray<Float>) -> [UInt8] {
    var bytes = NumpyHeader.float32(shape: array.shape)
    bytes.reserveCapacity(bytes.count + 4 * array.count)
    for value in array.values {
      withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }
    return bytes
  }
}
