import Files
import ModelIR

/// Reads the bytes of a pickle sequentially through a window.
struct PickleInput {
  private let file: RandomAccessFile
  private let range: Range<Int>
  private var window: [UInt8] = []
  /// The offset of the window in the file.
  private var start: Int
  /// The index of the next byte in the window.
  private var next = 0

  private static let windowSize = 1 << 16

  init(_ file: RandomAccessFile, _ range: Range<Int>) {
    self.file = file
    self.range = range
    start = range.lowerBound
  }

  /// The offset of the next byte in the file.
  var position: Int { start + next }
  /// The offset of the next byte in the pickle.
  var offset: Int { position - range.lowerBound }
  /// The number of remaining bytes.
  var left: Int { range.upperBound - position }

  /// Returns the next byte.
  ///
  /// - Throws: `badData` if there is none; `inputOutput`.
  mutating func byte() throws(NetconvError) -> UInt8 {
    if next == window.count {
      start += next
      next = 0
      window = try file.bytes(at: start, count: min(Self.windowSize, range.upperBound - start))
      guard !window.isEmpty else { throw .pickleEnds(at: start - range.lowerBound) }
    }
    defer { next += 1 }
    return window[next]
  }

  /// Returns the next `count` bytes; a count beyond the end allocates nothing.
  mutating func bytes(_ count: Int) throws(NetconvError) -> [UInt8] {
    if count <= window.count - next {
      defer { next += count }
      return Array(window[next..<next + count])
    }
    let place = try skip(count)
    return try file.bytes(at: place.lowerBound, count: count)
  }

  /// Skips the next `count` bytes, and returns their range in the file.
  mutating func skip(_ count: Int) throws(NetconvError) -> Range<Int> {
    guard count <= left else { throw .pickleEnds(at: range.count) }
    let place = position..<position + count
    if count <= window.count - next {
      next += count
    } else {
      start = place.upperBound
      next = 0
      window = []
    }
    return place
  }

  /// Returns a little-endian unsigned number.
  mutating func number(bytes count: Int) throws(NetconvError) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(try byte()) << (8 * UInt64(index)) }
    return value
  }

  /// Returns the bytes before the end of the line; `nil` if there are more than `limit`.
  mutating func line(limit: Int) throws(NetconvError) -> [UInt8]? {
    var line: [UInt8] = []
    while true {
      let byte = try byte()
      if byte == UInt8(ascii: "\n") { return line }
      guard line.count < limit else { return nil }
      line.append(byte)
    }
  }
}

extension NetconvError {
  fileprivate static func pickleEnds(at offset: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the pickle ends at byte \(offset), before it is complete; copy or download the file again")
  }
}
