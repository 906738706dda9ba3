import Files
import ModelIR

extension FileWindow {
  /// Creates a small window for a table, which is read front to back with gaps between large values.
  init(table file: RandomAccessFile) { self.init(file, size: 1 << 12) }

  /// Reads a varint: groups of seven bits, the lowest first.
  ///
  /// - Throws: `badData` if it extends beyond `end`, or has more than 63 bits.
  mutating func varint(
    _ position: inout Int, before end: Int
  ) throws(NetconvError) -> Int {
    let first = position
    var value = 0
    for shift in stride(from: 0, to: 63, by: 7) {
      guard position < end else { throw .tableCutOff(at: first) }
      let byte = try byte(at: position)
      position += 1
      value |= Int(byte & 0x7f) << shift
      if byte < 0x80 { return value }
    }
    throw .tableCutOff(at: first)
  }
}
