internal import CZlib
import Files
internal import Memory
import ModelIR

/// The container format of compressed data.
public enum CompressedFormat: Sendable {
  /// RFC 1952, with header and checksum.
  case gzip
  /// RFC 1951 without a header, as in ZIP entries.
  case deflate

  var windowBits: Int32 {
    switch self {
    case .gzip: 15 + 16
    case .deflate: -15
    }
  }
}

/// Returns true if `bytes` start with the gzip signature.
public func isGzip(_ bytes: some Collection<UInt8>) -> Bool {
  bytes.starts(with: [0x1f, 0x8b])
}

/// Inflates `bytes`.
///
/// - Parameters:
///   - bytes: One complete stream.
///   - format: The format of the stream.
///   - limit: The maximum output size in bytes, because a small stream can inflate to a huge one.
/// - Throws: `badData` if the stream is damaged, truncated, or inflates to more than `limit`.
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

/// Inflates the start of a stream, up to the first damage.
///
/// - Parameters:
///   - bytes: A short prefix of the stream; all of its output is kept.
///   - format: The format of the stream.
public func inflatedStart(_ bytes: [UInt8], _ format: CompressedFormat) -> [UInt8] {
  var output: [UInt8] = []
  bytes.withUnsafeBytes { buffer in
    guard var stream = try? InflateStream(format) else { return }
    try? stream.inflate(buffer) { output += $0 }
  }
  return output
}

/// Inflates a range of a file whose contents start with their size.
///
/// - Parameters:
///   - file: The file that contains the stream.
///   - range: The byte range of the stream.
///   - format: The format of the stream.
///   - size: Returns the total output size for a prefix of the output; `nil` as long as the prefix is too short.
/// - Throws: `badData` if the stream is damaged, truncated, or exceeds that size; the error of `size`.
public func inflated(
  _ file: RandomAccessFile, in range: Range<Int>, _ format: CompressedFormat,
  sizeFrom size: ([UInt8]) throws(NetconvError) -> Int?
) throws(NetconvError) -> [UInt8] {
  var stream = try InflateStream(format)
  var output: [UInt8] = []
  var expected: Int?
  var offset = range.lowerBound
  // Data after the end of the stream is ignored.
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
        // Limits the allocation to what the stream can inflate to, in case the header is wrong.
        output.reserveCapacity(min(limit, range.count.multipliedClamped(by: bestRatio)))
      }
    }
  }
  guard stream.hasEnded else { throw .compressedDataEnds }
  return output
}

/// Inflates a range of a file into another file, without verifying a checksum.
///
/// - Parameters:
///   - size: The expected output size in bytes.
///   - output: The output file, written from its start.
/// - Throws: `badData` if the stream is damaged, truncated, does not inflate to `size`, or the size is implausible;
///   `inputOutput` if the disk is full.
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

/// Inflates a range of a file, and calls `body` with the output piece by piece.
///
/// - Parameter limit: The maximum output size in bytes.
/// - Throws: `badData` if the stream is damaged, truncated, or exceeds `limit`; the error of `body`.
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

/// The maximum compression factor of deflate.
///
/// Source: zlib's documentation, "Maximum Compression Factor".
private let bestRatio = 1032

extension Int {
  fileprivate func multipliedClamped(by factor: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? .max : product
  }
}

/// An incremental CRC-32, as used by ZIP and gzip.
public struct CRC32: Sendable {
  /// The checksum of all bytes so far.
  public private(set) var value: UInt32 = 0

  /// Creates the checksum of no bytes.
  public init() {}

  /// Adds bytes.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    // For a null pointer, zlib would reset the checksum.
    guard let address = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
    value = UInt32(truncatingIfNeeded: crc32_z(uLong(value), address, bytes.count))
  }

  /// Adds `count` bytes whose checksum is known.
  public mutating func append(_ checksum: UInt32, count: Int) {
    value = UInt32(
      truncatingIfNeeded: crc32_combine(uLong(value), uLong(checksum), .init(count)))
  }
}

extension NetconvError {
  fileprivate static func inflatesTooLittle(_ found: Int, expected: Int) -> NetconvError {
    NetconvError(.badData, "the compressed data holds \(found) bytes, expected \(expected)")
  }

  fileprivate static var compressedDataEnds: NetconvError {
    NetconvError(.badData, "the compressed data is cut off; the file is truncated")
  }
}
