import Files
import ModelIR

/// The bytes that messages lie in: a file, of which only a window is in memory, or an array.
///
/// Messages of one scan share it, and with it the budget: what a file says of its sizes costs nothing, and what it
/// really holds has a limit.
public final class WireBytes {
  /// What messages call the bytes: the path of the file.
  public let name: String
  /// How many there are.
  public let count: Int
  /// The file; `nil` for bytes in memory.
  public let file: RandomAccessFile?

  /// The bytes in memory: all of an array, or the window of the file.
  private var window: [UInt8]
  /// Where the window begins.
  private var start = 0
  /// Bytes of the file that are read at once.
  private let windowSize: Int
  private var fieldsLeft = WireLimits.fields
  private var bytesLeft = WireLimits.heldBytes

  /// The bytes of a file.
  ///
  /// - Parameter windowSize: how many are read at once; few where messages with large payloads lie far apart.
  public init(_ file: RandomAccessFile, windowSize: Int = WireLimits.window) {
    self.file = file
    name = file.path
    count = file.size
    window = []
    self.windowSize = windowSize
  }

  /// Bytes in memory.
  ///
  /// - Parameter name: what errors call them.
  public init(_ bytes: [UInt8], name: String) {
    file = nil
    self.name = name
    count = bytes.count
    window = bytes
    windowSize = bytes.count
  }

  /// All of the bytes, as a message.
  ///
  /// - Parameter type: what errors call the message: `GraphDef`.
  public func message(_ type: String) -> WireMessage {
    WireMessage(self, 0..<count, type: type, depth: 0)
  }

  /// A part of the bytes, as a message.
  ///
  /// - Precondition: `range` is within ``count``.
  public func message(_ type: String, at range: Range<Int>) -> WireMessage {
    precondition(range.upperBound <= count, "\(range) of \(count) bytes")
    return WireMessage(self, range, type: type, depth: 0)
  }

  /// The byte at `offset`, which is less than ``count``.
  @inline(__always)
  func byte(at offset: Int) throws(NetconvError) -> UInt8 {
    let place = offset &- start
    if place >= 0, place < window.count { return window[place] }
    try moveWindow(to: offset)
    return window[offset - start]
  }

  /// The bytes at `range`, which is within ``count``; they count towards the budget.
  ///
  /// - Throws: `badData` if more bytes are held than any network needs, `inputOutput` if they cannot be read.
  public func bytes(at range: Range<Int>) throws(NetconvError) -> [UInt8] {
    bytesLeft -= range.count
    guard bytesLeft >= 0 else { throw .tooMuchText(limit: WireLimits.heldBytes) }
    if range.lowerBound >= start, range.upperBound <= start + window.count {
      return Array(window[range.lowerBound - start..<range.upperBound - start])
    }
    guard let file else { return [] }
    return try file.bytes(at: range.lowerBound, count: range.count)
  }

  /// Counts a field that was met.
  @inline(__always)
  func countField() throws(NetconvError) {
    fieldsLeft &-= 1
    guard fieldsLeft >= 0 else { throw .tooManyFields(limit: WireLimits.fields) }
  }

  /// A scan goes forwards: the window begins at what is asked for.
  private func moveWindow(to offset: Int) throws(NetconvError) {
    guard let file else { return }
    window = try file.bytes(at: offset, count: min(windowSize, count - offset))
    start = offset
  }
}

/// What a file may make a scan do.
public enum WireLimits {
  /// Fields of all messages together: a graph of a million nodes has some ten million.
  static let fields = 1 << 26
  /// Messages inside each other.
  static let depth = 100
  /// Bytes of texts and of other small values that are held.
  static let heldBytes = 1 << 28
  /// Bytes of a file that are read at once.
  public static let window = 1 << 16
}
