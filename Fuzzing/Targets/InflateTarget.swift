import Files
import ModelIR
import Zlib

/// Compressed streams: a byte that selects the format, then the stream.
enum InflateTarget: FuzzTarget {
  static let name = "inflate"

  private static let limit = 1 << 16

  static func parse(_ bytes: [UInt8]) throws {
    guard let first = bytes.first else { return }
    let stream = Array(bytes.dropFirst())
    let format = first & 1 == 0 ? CompressedFormat.gzip : .deflate
    let start = inflatedStart(stream.count > 1 << 10 ? Array(stream[..<(1 << 10)]) : stream, format)
    let file = try openFile(stream)
    let whole = Result { () throws(NetconvError) in
      try inflated(stream, format, limit: limit)
    }
    let inParts = Result { () throws(NetconvError) in
      try inflated(file, in: 0..<file.size, format) { contents throws(NetconvError) in
        // The size is unknown until enough bytes are decompressed.
        contents.count < 4 ? nil : (try? whole.get().count) ?? limit
      }
    }
    if let contents = try? whole.get() {
      try hold(contents.starts(with: start), "the beginning inflates to something else")
      let parts = try mustWork("inflating a file") { () throws(NetconvError) in try inParts.get() }
      try hold(parts == contents, "a file inflates to something else")
    }
    try checkSums(stream)
    _ = try whole.get()
  }

  private static func checkSums(_ bytes: [UInt8]) throws(BrokenRule) {
    var (whole, first, second) = (CRC32(), CRC32(), CRC32())
    bytes.withUnsafeBytes { buffer in
      let middle = buffer.count / 3
      whole.update(buffer)
      first.update(UnsafeRawBufferPointer(rebasing: buffer[..<middle]))
      second.update(UnsafeRawBufferPointer(rebasing: buffer[middle...]))
      first.append(second.value, count: buffer.count - middle)
    }
    try hold(whole.value == first.value, "checksums do not add up")
  }
}
