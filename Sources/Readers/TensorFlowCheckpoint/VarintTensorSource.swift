import Files
import ModelIR
import Synchronization

/// Values that are encoded as varints, which can only be read sequentially.
///
/// Source: protobuf.dev, "Encoding".
final class VarintTensorSource: TensorSource {
  let elementType: ElementType
  let count: Int
  private let file: RandomAccessFile
  private let range: Range<Int>
  /// The offset of every ``step``-th value, as far as values have been read.
  private let places: Mutex<[Int]>

  private static let step = 1 << 16

  /// Creates a source of `count` values in a range of a file.
  init(_ file: RandomAccessFile, _ range: Range<Int>, _ type: ElementType, count: Int) {
    self.file = file
    self.range = range
    elementType = type
    self.count = count
    places = Mutex([range.lowerBound])
  }

  var isSequential: Bool { true }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try forEachPiece(of: range) { bytes, place in
      elementType.decode(
        bytes, .little, into: UnsafeMutableBufferPointer(rebasing: values[place]))
    }
  }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Double>
  ) throws(NetconvError) {
    try forEachPiece(of: range) { bytes, place in
      elementType.decode(
        bytes, .little, into: UnsafeMutableBufferPointer(rebasing: values[place]))
    }
  }

  /// Decodes the values in `wanted` piece by piece to their little-endian memory representation.
  private func forEachPiece(
    of wanted: Range<Int>, _ body: (UnsafeRawBufferPointer, Range<Int>) -> Void
  ) throws(NetconvError) {
    guard !wanted.isEmpty else { return }
    let (start, known) = places.withLock { places in
      let number = min(wanted.lowerBound / Self.step, places.count - 1)
      return ((index: number * Self.step, offset: places[number]), places.count)
    }
    let pieceSize = 4096
    var decoder = VarintDecoder(elementType, index: start.index, offset: start.offset)
    var piece: [UInt8] = []
    piece.reserveCapacity(pieceSize * elementType.byteCount)
    var done = 0
    func flush() {
      let pieceCount = piece.count / elementType.byteCount
      piece.withUnsafeBytes { body($0, done..<done + pieceCount) }
      done += pieceCount
      piece.removeAll(keepingCapacity: true)
    }
    var found: [Int] = []
    var isDone = false
    var offset = start.offset
    while !isDone, offset < range.upperBound {
      let part = offset..<min(offset + 1 << 16, range.upperBound)
      offset = part.upperBound
      try file.forEachChunk(in: part) { chunk throws(NetconvError) in
        for byte in chunk where !isDone {
          let index = decoder.index
          guard let value = try decoder.next(byte) else { continue }
          if decoder.index % Self.step == 0, decoder.index / Self.step >= known {
            found.append(decoder.offset)
          }
          if index >= wanted.lowerBound {
            for shift in stride(from: 0, to: 8 * elementType.byteCount, by: 8) {
              piece.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
            }
            if piece.count == pieceSize * elementType.byteCount { flush() }
          }
          isDone = decoder.index == wanted.upperBound
        }
      }
    }
    flush()
    // The range ends with the last value.
    guard isDone, (decoder.offset == range.upperBound) == (wanted.upperBound == count) else {
      throw NetconvError.wrongVarintCount(expected: count, at: decoder.offset).inFile(file.path)
    }
    places.withLock { places in
      let missing = places.count - known
      if missing >= 0, found.count > missing { places += found.dropFirst(missing) }
    }
  }
}

/// A decoder for varints that arrive byte by byte.
private struct VarintDecoder {
  private let type: ElementType
  /// The index of the next value.
  private(set) var index: Int
  /// The offset of the next byte.
  private(set) var offset: Int
  private var value: UInt64 = 0
  private var shift: UInt64 = 0

  init(_ type: ElementType, index: Int, offset: Int) {
    self.type = type
    self.index = index
    self.offset = offset
  }

  /// Adds a byte; returns the value that it completes, if any.
  ///
  /// - Throws: `badData` if the value is out of range for the type.
  mutating func next(_ byte: UInt8) throws(NetconvError) -> UInt64? {
    guard shift < 63 || byte <= 1 else { throw .varintOutside(type, at: offset) }
    value |= UInt64(byte & 0x7f) << shift
    offset += 1
    shift += 7
    guard byte < 0x80 else { return nil }
    defer { (value, shift, index) = (0, 0, index + 1) }
    guard type.holds(Int64(bitPattern: value)) else { throw .varintOutside(type, at: offset - 1) }
    return value
  }
}

extension ElementType {
  /// Returns true if a varint is a valid value of this type, or its bit pattern.
  fileprivate func holds(_ number: Int64) -> Bool {
    switch self {
    case .int8: Int8(exactly: number) != nil
    case .uint8: UInt8(exactly: number) != nil
    case .int16: Int16(exactly: number) != nil
    case .uint16, .float16, .bfloat16: UInt16(exactly: number) != nil
    case .int32: Int32(exactly: number) != nil
    case .uint32: UInt32(exactly: number) != nil
    case .int64, .uint64, .float32, .float64: true
    }
  }
}

extension NetconvError {
  fileprivate static func wrongVarintCount(expected: Int, at offset: Int) -> NetconvError {
    NetconvError(
      .badData, "does not hold \(expected) values, as byte \(offset) shows; the file is damaged")
  }

  fileprivate static func varintOutside(_ type: ElementType, at offset: Int) -> NetconvError {
    NetconvError(
      .badData, "the number at byte \(offset) is none of \(type.rawValue); the file is damaged")
  }
}
