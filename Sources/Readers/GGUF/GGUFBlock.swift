import ModelIR

/// A kind of quantisation: how the values of one block lie in its bytes.
protocol GGUFBlock: Sendable {
  /// As GGML calls it: `Q4_K`.
  static var name: String { get }
  /// The values of a block.
  static var valueCount: Int { get }
  /// The bytes of a block.
  static var byteCount: Int { get }
  /// Whether the block is also defined for files that store the most significant byte first.
  static var hasBigEndianForm: Bool { get }

  /// Writes the ``valueCount`` values of a block.
  static func unpack(_ block: BlockBytes, into values: UnsafeMutablePointer<Float>)
}

extension GGUFBlock {
  /// No: GGML's own conversion knows only some.
  static var hasBigEndianForm: Bool { false }
}

/// The bytes of a block.
struct BlockBytes {
  private let bytes: UnsafeRawPointer
  private let order: ByteOrder

  /// - Precondition: the memory has a whole block.
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

  /// The integer of 16 bits at `offset`.
  @inline(__always)
  func short(at offset: Int) -> Int {
    let (first, second) = (self[offset], self[offset + 1])
    return order == .little ? first | second << 8 : first << 8 | second
  }

  /// The number of half precision at `offset`.
  @inline(__always)
  func half(at offset: Int) -> Float { Half.float(from: UInt16(short(at: offset))) }
}
