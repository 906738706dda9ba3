internal import CZlib
import ModelIR

/// How compressed bytes are wrapped.
public enum CompressedFormat: Sendable {
  /// RFC 1952, with header and checksum.
  case gzip
  /// RFC 1951, bare, as in ZIP entries.
  case deflate

  var windowBits: Int32 {
    switch self {
    case .gzip: 15 + 16
    case .deflate: -15
    }
  }
}

/// Whether `bytes` begin as gzip does.
public func isGzip(_ bytes: some Collection<UInt8>) -> Bool {
  bytes.starts(with: [0x1f, 0x8b])
}

/// Inflates `bytes`.
///
/// - Parameters:
///   - bytes: one whole stream.
///   - format: how it is wrapped.
///   - limit: the most bytes that make sense; a small stream can claim to be huge.
/// - Throws: `badData` if the stream is damaged, cut off, or inflates to more than `limit`.
public func inflated(
  _ bytes: UnsafeBufferPointer<UInt8>, _ format: CompressedFormat, limit: Int
) throws(NetconvError) -> [UInt8] {
  var stream = z_stream()
  guard netconv_inflate_init(&stream, format.windowBits) == Z_OK else {
    throw .zlibFailed
  }
  defer { inflateEnd(&stream) }
  stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
  stream.avail_in = uInt(clamping: bytes.count)
  var output: [UInt8] = []
  let piece = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 17)
  defer { piece.deallocate() }
  while true {
    stream.next_out = piece.baseAddress
    stream.avail_out = uInt(piece.count)
    let status = inflate(&stream, Z_NO_FLUSH)
    let count = piece.count - Int(stream.avail_out)
    guard output.count + count <= limit else { throw .inflatesTooFar(limit: limit) }
    output += piece[..<count]
    switch status {
    case Z_STREAM_END: return output
    case Z_OK where count > 0 || stream.avail_in > 0: continue
    case Z_OK, Z_BUF_ERROR: throw .compressedDataEnds
    default: throw .compressedDataDamaged(stream.msg.map { String(cString: $0) })
    }
  }
}

/// Inflates `bytes`; see ``inflated(_:_:limit:)-swift.function``.
public func inflated(
  _ bytes: [UInt8], _ format: CompressedFormat, limit: Int
) throws(NetconvError) -> [UInt8] {
  let result = bytes.withUnsafeBufferPointer { buffer in
    Result { () throws(NetconvError) in try inflated(buffer, format, limit: limit) }
  }
  return try result.get()
}

/// A running CRC-32, as ZIP and gzip use it.
public struct CRC32: Sendable {
  /// The checksum of all bytes so far.
  public private(set) var value: UInt32 = 0

  /// The checksum of nothing.
  public init() {}

  /// Takes in more bytes.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    // Without an address, as of no bytes, zlib starts anew.
    guard let address = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
    value = UInt32(truncatingIfNeeded: crc32_z(uLong(value), address, bytes.count))
  }
}
