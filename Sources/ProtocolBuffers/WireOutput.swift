/// A message that is written, in which payloads that nobody holds in memory have their places.
///
/// The sizes of payloads are enough: a message states how long it is in front of what it holds, and every byte but
/// those of payloads is known before any value is.
///
/// Source: protobuf.dev, "Encoding".
public struct WireOutput: Sendable {
  /// A part of the message.
  public enum Piece: Sendable, Equatable {
    /// Bytes that are known.
    case bytes([UInt8])
    /// A payload by its number, and how many bytes it has.
    case payload(Int, count: Int)
  }

  /// What lies in front of ``tail``.
  private var closed: [Piece] = []
  /// Known bytes at the end.
  private var tail: [UInt8] = []
  /// Bytes of all parts.
  public private(set) var count = 0

  /// An empty message.
  public init() {}

  /// The parts, one behind the other.
  public var pieces: [Piece] { tail.isEmpty ? closed : closed + [.bytes(tail)] }

  /// Appends a whole number; negative ones are in two's complement of 64 bits.
  public mutating func add(_ field: Int, _ number: Int) {
    append(Self.varint(UInt64(field << 3)))
    append(Self.varint(UInt64(bitPattern: Int64(number))))
  }

  /// Appends a float32.
  public mutating func add(_ field: Int, _ number: Float) {
    append(Self.varint(UInt64(field << 3 | 5)))
    append(Self.bytes(of: number))
  }

  /// Appends a text.
  public mutating func add(_ field: Int, _ text: String) {
    add(field, bytes: Array(text.utf8))
  }

  /// Appends bytes.
  public mutating func add(_ field: Int, bytes: [UInt8]) {
    append(header: field, count: bytes.count)
    append(bytes)
  }

  /// Appends a message.
  public mutating func add(_ field: Int, _ message: WireOutput) {
    append(header: field, count: message.count)
    for piece in message.pieces {
      switch piece {
      case .bytes(let bytes): append(bytes)
      case .payload(let number, let count): append(payload: number, count: count)
      }
    }
  }

  /// Appends bytes that are written later, by their number.
  public mutating func add(_ field: Int, payload number: Int, count: Int) {
    append(header: field, count: count)
    append(payload: number, count: count)
  }

  /// The bytes of a float32, the lowest first.
  public static func bytes(of number: Float) -> [UInt8] {
    withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) }
  }

  private mutating func append(_ bytes: [UInt8]) {
    count += bytes.count
    tail += bytes
  }

  private mutating func append(payload number: Int, count: Int) {
    if !tail.isEmpty { closed.append(.bytes(tail)) }
    tail = []
    closed.append(.payload(number, count: count))
    self.count += count
  }

  private mutating func append(header field: Int, count: Int) {
    append(Self.varint(UInt64(field << 3 | 2)))
    append(Self.varint(UInt64(count)))
  }

  private static func varint(_ number: UInt64) -> [UInt8] {
    var (rest, bytes) = (number, [UInt8]())
    while rest > 0x7f {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}
