import Files
import ModelIR

/// The bytes that contain messages: a file, of which only a window is in memory, or an array.
///
/// All messages of a scan share it, including the limits on fields and bytes that are held in memory. Stated sizes
/// allocate nothing.
public final class WireBytes {
  /// The name of the bytes in errors: the path of the file.
  public let name: String
  /// The number of bytes.
  public let count: Int
  /// The file; `nil` for bytes in memory.
  public let file: RandomAccessFile?

  /// The bytes in memory: the whole array, or a window of the file.
  private var window: [UInt8]
  /// The offset of the window.
  private var start = 0
  /// The number of bytes read from the file at once.
  private let windowSize: Int
  private var fieldsLeft = WireLimits.fields
  private var bytesLeft = WireLimits.heldBytes

  /// Creates a view of the bytes of a file.
  ///
  /// - Parameter windowSize: The number of bytes read at once; small if messages are separated by large payloads.
  public init(_ file: RandomAccessFile, windowSize: Int = WireLimits.window) {
    self.file = file
    name = file.path
    count = file.size
    window = []
    self.windowSize = windowSize
  }

  /// Creates a view of bytes in memory.
  ///
  /// - Parameter name: The name of the bytes in errors.
  public init(_ bytes: [UInt8], name: String) {
    file = nil
    self.name = name
    count = bytes.count
    window = bytes
    windowSize = bytes.count
  }

  /// Returns all bytes as a message.
  ///
  /// - Parameter type: The name of the message type in errors: `GraphDef`.
  public func message(_ type: String) -> WireMessage {
    WireMessage(self, 0..<count, type: type, depth: 0)
  }

  /// Returns a range of the bytes as a message.
  ///
  /// - Precondition: `range` is within ``count``.
  public func message(_ type: String, at range: Range<Int>) -> WireMessage {
    precondition(range.upperBound <= count, "\(range) of \(count) bytes")
    return WireMessage(self, range, type: type, depth: 0)
  }

  /// Returns the byte at `offset`, which is less than ``count``.
  @inline(__always)
  func byte(at offset: Int) throws(NetconvError) -> UInt8 {
    let place = offset &- start
    if place >= 0, place < window.count { return window[place] }
    try moveWindow(to: offset)
    return window[offset - start]
  }

  /// Returns the bytes in `range`, which is within ``count``; they count towards the limit.
  ///
  /// - Throws: `badData` if the limit is exceeded; `inputOutput` if the file cannot be read.
  public func bytes(at range: Range<Int>) throws(NetconvError) -> [UInt8] {
    bytesLeft -= range.count
    guard bytesLeft >= 0 else { throw .tooMuchText(limit: WireLimits.heldBytes) }
    if range.lowerBound >= start, range.upperBound <= start + window.count {
      return Array(window[range.lowerBound - start..<range.upperBound - start])
    }
    guard let file else { return [] }
    return try file.bytes(at: range.lowerBound, count: range.count)
  }

  /// Counts a field.
  @inline(__always)
  func countField() throws(NetconvError) {
    fieldsLeft &-= 1
    guard fieldsLeft >= 0 else { throw .tooManyFields(limit: WireLimits.fields) }
  }

  /// Moves the window so that it starts at `offset`, since a scan proceeds forwards.
  private func moveWindow(to offset: Int) throws(NetconvError) {
    guard let file else { return }
    window = try file.bytes(at: offset, count: min(windowSize, count - offset))
    start = offset
  }
}

/// Limits on the work of a scan.
public enum WireLimits {
  /// The maximum total number of fields: a graph of a million nodes has some ten million.
  static let fields = 1 << 26
  /// The maximum nesting depth of messages.
  static let depth = 100
  /// The maximum total size of strings and other small values held in memory, in bytes.
  static let heldBytes = 1 << 28
  /// The default number of bytes read from a file at once.
  public static let window = 1 << 16
}

extension NetconvError {
  fileprivate static func tooManyFields(limit: Int) -> NetconvError {
    NetconvError(.badData, "holds more than \(limit) fields, more than any network needs")
  }

  fileprivate static func tooMuchText(limit: Int) -> NetconvError {
    NetconvError(
      .badData,
      "holds more than \(limit) bytes of names and small values, more than any network needs")
  }
}
