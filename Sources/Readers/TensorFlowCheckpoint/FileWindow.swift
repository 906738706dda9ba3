import Files
import ModelIR

/// A file that is read from front to back in small steps, with gaps: a window of it is in memory.
struct FileWindow {
  let file: RandomAccessFile
  private var window: [UInt8] = []
  private var start = 0

  /// Bytes that are read at once: what lies between two large values is small.
  private static let size = 1 << 12

  init(_ file: RandomAccessFile) { self.file = file }

  /// The byte at `offset`, which is less than the file's size.
  mutating func byte(at offset: Int) throws(NetconvError) -> UInt8 {
    if offset >= start, offset - start < window.count { return window[offset - start] }
    window = try file.bytes(at: offset, count: min(Self.size, file.size - offset))
    start = offset
    guard let byte = window.first else { throw .tableCutOff(at: offset) }
    return byte
  }

  /// The bytes of a small range within the file.
  mutating func bytes(at range: Range<Int>) throws(NetconvError) -> [UInt8] {
    if range.lowerBound >= start, range.upperBound <= start + window.count {
      return Array(window[range.lowerBound - start..<range.upperBound - start])
    }
    return try file.bytes(at: range.lowerBound, count: range.count)
  }

  /// A number in groups of seven bits, the lowest first.
  ///
  /// - Throws: `badData` if it goes on beyond `end`, or has more than 63 bits.
  mutating func varint(
    _ position: inout Int, before end: Int
  ) throws(NetconvError) -> Int {
    let first = position
    var value = 0
    for shift in stride(from: 0, to: 63, by: 7) {
      guard position < end else { throw .tableCutOff(at: first) }
      let byte = try byte(at: position)
      position += 1
      value |= Int(byte & 0x7f) << shift
      if byte < 0x80 { return value }
    }
    throw .tableCutOff(at: first)
  }
}
