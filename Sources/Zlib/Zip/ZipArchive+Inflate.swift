internal import CZlib
import Files
import ModelIR

extension ZipArchive {
  /// Inflates a deflated entry into a file, piece by piece, and checks it.
  ///
  /// - Throws: `badData` if the entry is damaged or not as long as it says, `inputOutput` on a full disk.
  public func inflate(_ entry: Entry, into output: OutputFile) throws(NetconvError) {
    do throws(NetconvError) {
      var stream = try InflateStream(.deflate)
      var checksum = CRC32()
      var position = 0
      let range = entry.dataOffset..<entry.dataOffset + entry.storedSize
      try file.forEachChunk(in: range) { chunk throws(NetconvError) in
        try stream.inflate(chunk) { bytes throws(NetconvError) in
          guard bytes.count <= entry.size - position else {
            throw .inflatesTooFar(limit: entry.size)
          }
          checksum.update(bytes)
          try output.write(bytes, at: position)
          position += bytes.count
        }
      }
      guard stream.hasEnded else { throw .compressedDataEnds }
      guard position == entry.size, checksum.value == entry.checksum else {
        throw .wrongChecksum(entry.name)
      }
    } catch {
      throw error.inFile(file.path)
    }
  }
}

/// A compressed stream that is inflated as it comes.
private struct InflateStream: ~Copyable {
  private static let pieceSize = 1 << 17

  // zlib keeps the address of its state, so that the state must not move.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
  /// Whether the end of the stream has been seen.
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

  /// Inflates the next bytes of the stream; what comes after its end is ignored.
  mutating func inflate(
    _ bytes: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws(NetconvError) -> Void
  ) throws(NetconvError) {
    stream.pointee.next_in = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?
      .assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_in = uInt(clamping: bytes.count)
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
