import Files
import ModelIR

/// The bytes of a pickle, read from front to back a window at a time.
struct PickleInput {
  private let file: RandomAccessFile
  private let range: Range<Int>
  private var window: [UInt8] = []
  /// Where the window begins in the file.
  private var start: Int
  /// The next byte in the window.
  private var next = 0

  private static let windowSize = 1 << 16

  init(_ file: RandomAccessFile, _ range: Range<Int>) {
    self.file = file
    self.range = range
    start = range.lowerBound
  }

  /// The next byte, counted from the beginning of the file.
  var position: Int { start + next }
  /// The same, counted from the beginning of the pickle.
  var offset: Int { position - range.lowerBound }
  /// The bytes that are left.
  var left: Int { range.upperBound - position }

  /// The next byte.
  ///
  /// - Throws: `badData` if there is none, or `inputOutput`.
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

  /// The next `count` bytes; nothing is allocated for bytes that are not there.
  mutating func bytes(_ count: Int) throws(NetconvError) -> [UInt8] {
    if count <= window.count - next {
      defer { next += count }
      return Array(window[next..<next + count])
    }
    let place = try skip(count)
    return try file.bytes(at: place.lowerBound, count: count)
  }

  /// Where the next `count` bytes are in the file.
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

  /// A number without a sign, the least byte first.
  mutating func number(bytes count: Int) throws(NetconvError) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(try byte()) << (8 * UInt64(index)) }
    return value
  }

  /// The bytes before the end of the line; `nil` if there are more than `limit`.
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
