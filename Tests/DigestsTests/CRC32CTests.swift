import CChecksums
import Digests
import Testing

@Suite struct CRC32CTests {
  /// Source: RFC 3720, appendix B.4; the last is the check value of the catalogue of parametrised CRC algorithms.
  static let examples: [(bytes: [UInt8], checksum: UInt32)] = [
    (Array(repeating: 0, count: 32), 0x8a91_36aa),
    (Array(repeating: 0xff, count: 32), 0x62a8_ab43),
    (Array(0..<32), 0x46dd_794e),
    (Array((0..<32).reversed()), 0x113f_db5c),
    (Array("123456789".utf8), 0xe306_9283),
    ([], 0),
  ]

  @Test(arguments: examples)
  func `examples of the RFC have their checksums, by table and in pieces too`(
    bytes: [UInt8], checksum: UInt32
  ) {
    for size in 1...33 {
      var whole = CRC32C()
      var table: UInt32 = 0
      for first in stride(from: 0, to: bytes.count, by: size) {
        bytes[first..<min(first + size, bytes.count)].withUnsafeBytes { piece in
          whole.update(piece)
          table = netconv_crc32c_table(table, piece.baseAddress, piece.count)
        }
      }
      #expect(whole.value == checksum)
      #expect(table == checksum)
    }
  }

  /// Source: LevelDB, util/crc32c.h: rotated to the right by 15 bits, plus a constant.
  @Test func `a checksum is masked as LevelDB does it`() {
    #expect(CRC32C.masked(of: Array("123456789".utf8)) == 0xc78a_b0e5)
  }
}
