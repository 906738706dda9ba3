import ModelIR
import TestSupport
import Testing
import Zlib

@Suite struct InflateTests {
  private static let streams: [(name: String, format: CompressedFormat)] = [
    ("text.deflate", .deflate), ("text.gz", .gzip), ("named.gz", .gzip),
  ]

  @Test func `reads what Python has compressed`() throws {
    for (name, format) in Self.streams {
      let bytes = try fixture(name)
      #expect(try inflated(bytes, format, limit: 1 << 20) == bottles, "\(name)")
    }
  }

  @Test func `reads a stream of nothing`() throws {
    #expect(try inflated([3, 0], .deflate, limit: 0) == [])
  }

  @Test func `the limit may be reached, not passed`() throws {
    for (name, format) in Self.streams {
      let bytes = try fixture(name)
      #expect(try inflated(bytes, format, limit: bottles.count) == bottles)
      let error = thrown { try inflated(bytes, format, limit: bottles.count - 1) }
      #expect(error?.kind == .badData)
      #expect(
        error?.description
          == "the compressed data holds more than the expected \(bottles.count - 1) bytes")
    }
  }

  @Test func `a stream cut off anywhere is an error`() throws {
    for (name, format) in Self.streams {
      let bytes = try fixture(name)
      for count in 0..<bytes.count {
        let error = thrown { try inflated(Array(bytes.prefix(count)), format, limit: 1 << 20) }
        #expect(
          error?.description == "the compressed data is cut off; the file is truncated",
          "\(name), \(count) bytes")
      }
    }
  }

  @Test func `a flipped bit of gzip is found, or does not matter`() throws {
    let bytes = try fixture("text.gz")
    for index in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[index] ^= 1 << bit
        if let text = try? inflated(damaged, .gzip, limit: 1 << 20) {
          #expect(text == bottles, "bit \(bit) of byte \(index)")
          // Flags, time and system, and the bits that fill the last byte of the data.
          #expect(3..<10 ~= index || index == bytes.count - 9)
        }
      }
    }
  }

  @Test func `a flipped bit of deflate stays within the limit`() throws {
    let bytes = try fixture("text.deflate")
    for index in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[index] ^= 1 << bit
        do {
          #expect(try inflated(damaged, .deflate, limit: 2000).count <= 2000)
        } catch {
          #expect(error.kind == .badData)
        }
      }
    }
  }

  @Test func `damage is told in zlib's words`() throws {
    #expect(
      thrown { try inflated([7], .deflate, limit: 10) }?.description
        == "the compressed data is damaged (invalid block type)")
    var bytes = try fixture("text.gz")
    bytes[bytes.count - 8] ^= 1
    #expect(
      thrown { try inflated(bytes, .gzip, limit: 1 << 20) }?.description
        == "the compressed data is damaged (incorrect data check)")
    #expect(
      thrown { try inflated(Array("hello".utf8), .gzip, limit: 10) }?.description
        == "the compressed data is damaged (incorrect header check)")
  }

  @Test func `gzip is known by its first bytes`() throws {
    #expect(isGzip(try fixture("text.gz")))
    #expect(!isGzip(try fixture("text.deflate")))
    #expect(!isGzip([0x1f]))
    #expect(!isGzip([] as [UInt8]))
  }

  @Test(
    arguments: [
      ("", 0), ("a", 0xe8b7_be43), ("123456789", 0xcbf4_3926),
      ("The quick brown fox jumps over the lazy dog", 0x414f_a339),
    ] as [(String, UInt32)])
  func `CRC-32 has its published values`(text: String, value: UInt32) {
    #expect(checksum(Array(text.utf8)) == value)
  }

  @Test func `CRC-32 takes bytes in any pieces, empty ones too`() {
    let bytes = Array("123456789".utf8)
    for first in 0...bytes.count {
      var checksum = CRC32()
      bytes[..<first].withUnsafeBytes { checksum.update($0) }
      checksum.update(UnsafeRawBufferPointer(start: nil, count: 0))
      bytes[first...].withUnsafeBytes { checksum.update($0) }
      #expect(checksum.value == 0xcbf4_3926)
    }
  }
}
