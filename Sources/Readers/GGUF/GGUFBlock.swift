import ModelIR

/// A block format: the encoding of a fixed number of quantised values.
protocol GGUFBlock: Sendable {
  /// The format's name in GGML, such as `Q4_K`.
  static var name: String { get }
  /// The number of values in a block.
  static var valueCount: Int { get }
  /// The size of a block in bytes.
  static var byteCount: Int { get }
  /// True if the format is also defined for big-endian files.
  static var hasBigEndianForm: Bool { get }

  /// Decodes a block into ``valueCount`` values.
  static func unpack(_ block: BlockBytes, into values: UnsafeMutablePointer<Float>)
}

extension GGUFBlock {
  /// False by default: GGML's conversion to big endian supports only some formats.
  static var hasBigEndianForm: Bool { false }
}

/// The bytes of an encoded block.
struct BlockBytes {
  private let bytes: UnsafeRawPointer
  private let order: ByteOrder

  /// Wraps the memory of a block.
  ///
  /// - Precondition: The memory holds a complete block.
  init(_ bytes: UnsafeRawPointer, _ order: ByteOrder) {
    self.bytes = bytes
    self.order = order
  }

  /// The byte at `offset`.
  @inline(__always)
  subscript(offset: Int) -> Int { Int(bytes.load(fromByteOffset: offset, as: UInt8.self)) }

  /// The signed byte at `offset`.
  @inline(__always)
  func signed(at offset: Int) -> Int { Int(bytes.load(fromByteOffset: offset, as: Int8.self)) }

  /// The unsigned 16-bit integer at `offset`.
  @inline(__always)
  func short(at offset: Int) -> Int {
    let (first, second) = (self[offset], self[offset + 1])
    return order == .little ? first | second << 8 : first << 8 | second
  }

  /// The float16 at `offset`.
  @inline(__always)
  func half(at offset: Int) -> Float { Half.float(from: UInt16(short(at: offset))) }
}
