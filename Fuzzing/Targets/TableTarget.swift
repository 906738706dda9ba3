import Digests
import ModelIR
import Readers

/// The table of a TensorFlow checkpoint, up to its keys.
enum TableTarget: FuzzTarget {
  static let name = "table"

  static func parse(_ bytes: [UInt8]) throws {
    let blocks = try blocksOfTable(openFile(signed(bytes)))
    var end = 0
    for block in blocks {
      try hold(block.lowerBound >= end, "blocks lie over each other")
      try hold(block.upperBound <= bytes.count, "a block goes on beyond the file")
      end = block.upperBound
    }
  }

  /// The bytes with the correct checksum of the index block, without which most mutations would be
  /// rejected.
  static func signed(_ bytes: [UInt8]) -> [UInt8] {
    var position = bytes.count - 48
    guard position >= 0 else { return bytes }
    // Two block handles, each an offset and a size; the second is that of the index block.
    var numbers: [Int] = []
    for _ in 0..<4 {
      guard let number = varint(bytes, &position) else { return bytes }
      numbers.append(number)
    }
    let (sum, overflow) = numbers[2].addingReportingOverflow(numbers[3])
    guard !overflow, sum < bytes.count else { return bytes }
    return signed(bytes, numbers[2]..<sum + 1)
  }

  /// The bytes with the checksum of a range after it.
  static func signed(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt8] {
    guard range.upperBound <= bytes.count - 4 else { return bytes }
    var bytes = bytes
    let checksum = CRC32C.masked(of: Array(bytes[range]))
    for index in 0..<4 {
      bytes[range.upperBound + index] = UInt8(truncatingIfNeeded: checksum >> (8 * UInt32(index)))
    }
    return bytes
  }

  private static func varint(_ bytes: [UInt8], _ position: inout Int) -> Int? {
    var value = 0
    for shift in stride(from: 0, to: 63, by: 7) {
      guard position < bytes.count else { return nil }
      value |= Int(bytes[position] & 0x7f) << shift
      position += 1
      if bytes[position - 1] < 0x80 { return value }
    }
    return nil
  }
}
