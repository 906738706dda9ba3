import ModelIR

/// An encoded message with placeholders for payloads that are not in memory.
///
/// Only the sizes of payloads are required: they determine all length prefixes, and thereby every byte of the message
/// outside of payloads, before any value is read.
///
/// Source: protobuf.dev, "Encoding".
public struct WireOutput: Sendable {
  /// A part of the message.
  public enum Piece: Sendable, Equatable {
    /// Encoded bytes.
    case bytes([UInt8])
    /// A payload, by its number and its size in bytes.
    case payload(Int, count: Int)
  }

  /// The pieces before ``tail``.
  private var closed: [Piece] = []
  /// The encoded bytes at the end.
  private var tail: [UInt8] = []
  /// The total size in bytes.
  public private(set) var count = 0

  /// Creates an empty message.
  public init() {}

  /// The pieces in order.
  public var pieces: [Piece] { tail.isEmpty ? closed : closed + [.bytes(tail)] }

  /// Appends an integer as a varint; negative integers are encoded in 64-bit two's complement.
  public mutating func add(_ field: Int, _ number: Int) {
    append(Self.varint(UInt64(field << 3)))
    append(Self.varint(UInt64(bitPattern: Int64(number))))
  }

  /// Appends a float32.
  public mutating func add(_ field: Int, _ number: Float) {
    append(Self.varint(UInt64(field << 3 | 5)))
    append(Self.bytes(of: number))
  }

  /// Appends a string.
  public mutating func add(_ field: Int, _ text: String) {
    add(field, bytes: Array(text.plain.utf8))
  }

  /// Appends integers as a packed list.
  public mutating func add(_ field: Int, integers: [Int]) {
    add(field, bytes: integers.flatMap { Self.varint(UInt64(bitPattern: Int64($0))) })
  }

  /// Appends bytes.
  public mutating func add(_ field: Int, bytes: [UInt8]) {
    append(header: field, count: bytes.count)
    append(bytes)
  }

  /// Appends a nested message.
  public mutating func add(_ field: Int, _ message: WireOutput) {
    append(header: field, count: message.count)
    for piece in message.pieces {
      switch piece {
      case .bytes(let bytes): append(bytes)
      case .payload(let number, let count): append(payload: number, count: count)
      }
    }
  }

  /// Appends a placeholder for a payload, which is written later.
  public mutating func add(_ field: Int, payload number: Int, count: Int) {
    append(header: field, count: count)
    append(payload: number, count: count)
  }

  /// Returns the little-endian bytes of a float32.
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
