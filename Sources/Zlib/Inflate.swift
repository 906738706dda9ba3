internal import CZlib
import Files
internal import Memory
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
  var stream = try InflateStream(format)
  var output: [UInt8] = []
  try stream.inflate(UnsafeRawBufferPointer(bytes)) { piece throws(NetconvError) in
    guard piece.count <= limit - output.count else { throw .inflatesTooFar(limit: limit) }
    output += piece
  }
  guard stream.hasEnded else { throw .compressedDataEnds }
  return output
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

/// What the beginning of a stream inflates to, up to the first damage.
///
/// - Parameters:
///   - bytes: the beginning; few, since all that they inflate to is kept.
///   - format: how the stream is wrapped.
public func inflatedStart(_ bytes: [UInt8], _ format: CompressedFormat) -> [UInt8] {
  var output: [UInt8] = []
  bytes.withUnsafeBytes { buffer in
    guard var stream = try? InflateStream(format) else { return }
    try? stream.inflate(buffer) { output += $0 }
  }
  return output
}

/// Inflates a part of a file whose contents say at their beginning how long they are.
///
/// - Parameters:
///   - file: where the stream lies.
///   - range: the bytes of the stream.
///   - format: how it is wrapped.
///   - size: the number of bytes of the contents, by their beginning; `nil` as long as it is too short to
///     tell.
/// - Throws: `badData` if the stream is damaged, cut off, or goes on beyond that size; what `size` throws.
public func inflated(
  _ file: RandomAccessFile, in range: Range<Int>, _ format: CompressedFormat,
  sizeFrom size: ([UInt8]) throws(NetconvError) -> Int?
) throws(NetconvError) -> [UInt8] {
  var stream = try InflateStream(format)
  var output: [UInt8] = []
  var expected: Int?
  var offset = range.lowerBound
  // What follows the stream is not read.
  while !stream.hasEnded, offset < range.upperBound {
    let part = offset..<min(offset + 1 << 18, range.upperBound)
    offset = part.upperBound
    try file.forEachChunk(in: part) { chunk throws(NetconvError) in
      try stream.inflate(chunk) { piece throws(NetconvError) in
        if let limit = expected, piece.count > limit - output.count {
          throw .inflatesTooFar(limit: limit)
        }
        output += piece
        guard expected == nil, let limit = try size(output) else { return }
        guard output.count <= limit else { throw .inflatesTooFar(limit: limit) }
        let claim = Claim(limit, stored: range.count)
        guard claim.isPlausible(unquestioned: Claim.held) else { throw .implausibleClaim(claim) }
        try MemoryBound.check(file: limit)
        expected = limit
        // A lying header must not make us ask for memory that the stream cannot fill.
        output.reserveCapacity(min(limit, range.count.multipliedClamped(by: bestRatio)))
      }
    }
  }
  guard stream.hasEnded else { throw .compressedDataEnds }
  return output
}

/// Inflates a part of a file into another, of which a checksum knows nothing.
///
/// - Parameters:
///   - size: the bytes that it must become.
///   - output: the file, written from its beginning on.
/// - Throws: `badData` if the stream is damaged, cut off, becomes more or less than `size`, or claims far more than values
///   do; `inputOutput` if there is no room.
public func inflate(
  _ file: RandomAccessFile, in range: Range<Int>, _ format: CompressedFormat, size: Int,
  into output: OutputFile
) throws(NetconvError) {
  let claim = Claim(size, stored: range.count)
  guard claim.isPlausible(unquestioned: Claim.streamed) else { throw .implausibleClaim(claim) }
  try output.checkRoom(for: size)
  var position = 0
  try forEachInflatedPiece(of: file, in: range, format, limit: size) {
    bytes throws(NetconvError) in
    try output.write(bytes, at: position)
    position += bytes.count
  }
  guard position == size else { throw .inflatesTooLittle(position, expected: size) }
}

/// Passes on what a part of a file inflates to, piece by piece.
///
/// - Parameter limit: the most bytes that make sense.
/// - Throws: `badData` if the stream is damaged, cut off, or goes on beyond `limit`; what `body` throws.
func forEachInflatedPiece(
  of file: RandomAccessFile, in range: Range<Int>, _ format: CompressedFormat, limit: Int,
  _ body: (UnsafeRawBufferPointer) throws(NetconvError) -> Void
) throws(NetconvError) {
  var stream = try InflateStream(format)
  var rest = limit
  try file.forEachChunk(in: range) { chunk throws(NetconvError) in
    try stream.inflate(chunk) { bytes throws(NetconvError) in
      guard bytes.count <= rest else { throw .inflatesTooFar(limit: limit) }
      rest -= bytes.count
      try body(bytes)
    }
  }
  guard stream.hasEnded else { throw .compressedDataEnds }
}

/// No deflated data grows by more than this.
///
/// Source: zlib's documentation, "Maximum Compression Factor".
private let bestRatio = 1032

extension Int {
  fileprivate func multipliedClamped(by factor: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? .max : product
  }
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

  /// Takes in `count` more bytes whose checksum is known.
  public mutating func append(_ checksum: UInt32, count: Int) {
    value = UInt32(
      truncatingIfNeeded: crc32_combine(uLong(value), uLong(checksum), .init(count)))
  }
}
