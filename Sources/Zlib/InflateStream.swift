internal import CZlib
import ModelIR

/// An incremental inflate stream.
struct InflateStream: ~Copyable {
  private static let pieceSize = 1 << 17

  // zlib keeps a pointer to this struct, so it must not move.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
  /// True if the end of the stream has been reached.
  private(set) var hasEnded = false

  init(_ format: CompressedFormat) throws(NetconvError) {
    stream.initialize(to: z_stream())
    guard netconv_inflate_init(stream, format.windowBits) == Z_OK else { throw .zlibFailed }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    piece.deallocate()
  }

  /// Inflates the next bytes of the stream; data after its end is ignored.
  mutating func inflate(
    _ bytes: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws(NetconvError) -> Void
  ) throws(NetconvError) {
    // zlib's input count is 32 bits wide.
    var rest = bytes[...]
    while !rest.isEmpty, !hasEnded {
      let part = rest.prefix(1 << 30)
      try inflate(part: UnsafeRawBufferPointer(rebasing: part), body)
      rest = rest.dropFirst(part.count)
    }
  }

  private mutating func inflate(
    part bytes: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws(NetconvError) -> Void
  ) throws(NetconvError) {
    stream.pointee.next_in = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?
      .assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_in = uInt(bytes.count)
    while !hasEnded {
      stream.pointee.next_out = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_out = uInt(piece.count)
      let status = CZlib.inflate(stream, Z_NO_FLUSH)
      let count = piece.count - Int(stream.pointee.avail_out)
      try body(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      switch status {
      case Z_STREAM_END: hasEnded = true
      case Z_OK where stream.pointee.avail_in > 0 || count == piece.count: continue
      case Z_OK, Z_BUF_ERROR: return
      default: throw .compressedDataDamaged(stream.pointee.msg.map { String(cString: $0) })
      }
    }
  }
}

extension NetconvError {
  fileprivate static var zlibFailed: NetconvError {
    NetconvError(.internal, "zlib cannot be started; memory may be exhausted")
  }

  fileprivate static func compressedDataDamaged(_ reason: String?) -> NetconvError {
    NetconvError(
      .badData, "the compressed data is damaged" + (reason.map { " (\($0))" } ?? ""))
  }
}
