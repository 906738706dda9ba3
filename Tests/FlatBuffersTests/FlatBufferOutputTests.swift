import FlatBuffers
import ModelIR
import TestSupport
import Testing

/// Buffers that are written, read by the checked reader; offsets by flatbuffers.dev, "FlatBuffer Internals".
@Suite struct FlatBufferOutputTests {
  private static let fields: FlatFields = [
    0: .byte(-3), 1: .int(-70_000), 2: .long(1 << 40), 3: .float(0.5), 4: .flag(true),
    5: .text("abc"), 6: .table([1: .int(7)]), 7: .tables([[0: .text("x")], [:], [0: .text("yz")]]),
    8: .ints([1, -2]), 9: .longs([-5, 1 << 50]), 10: .floats([0.25, -8]),
    12: .bytes([1, 2, 3]),
  ]

  /// The file, with payloads whose bytes are their numbers plus 100.
  private func bytes(_ output: FlatBufferOutput) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xee, count: output.count)
    for piece in output.pieces {
      bytes.replaceSubrange(piece.offset..<piece.offset + piece.bytes.count, with: piece.bytes)
    }
    for payload in output.payloads {
      for offset in payload.offset..<payload.offset + payload.count {
        bytes[offset] = UInt8(100 + payload.number)
      }
    }
    return bytes
  }

  @Test func `all kinds of fields are read as they were written`() throws {
    let output = FlatBufferOutput(Self.fields, identifier: "TEST", mark: "mark")
    let written = bytes(output)
    #expect(Array(written[4..<8]) == Array("TEST".utf8))
    #expect(Array(written[8..<17]) == [4, 0, 0, 0] + Array("mark".utf8) + [0])
    let table = try FlatTable(rootOf: FlatBufferBytes(written), "Thing")
    #expect(try table.integer(0, Int8.self) == -3)
    #expect(try table.integer(1) == -70_000)
    #expect(try table.unsigned(2, width: 8) == 1 << 40)
    #expect(try table.number(3) == 0.5)
    #expect(try table.flag(4))
    #expect(try table.text(5) == "abc")
    #expect(try table.table(6, "Inner")?.integer(1) == 7)
    #expect(try table.tables(7, "Inner").map { try $0.text(0) } == ["x", "", "yz"])
    #expect(try table.integers(8) == [1, -2])
    #expect(try table.integers(9, Int64.self) == [-5, 1 << 50])
    #expect(try table.numbers(10) == [0.25, -8])
    #expect(try table.has(11) == false)
    let range = try #require(try table.vector(12, width: 1))
    #expect(Array(written[range]) == [1, 2, 3])
    #expect(range.lowerBound.isMultiple(of: 16))
  }

  @Test func `equal tables share the description of their fields`() throws {
    let one = FlatBufferOutput([0: .tables([[0: .int(1)]])], identifier: "TEST", mark: "")
    let two = FlatBufferOutput(
      [0: .tables([[0: .int(1)], [0: .int(2)]])], identifier: "TEST", mark: "")
    // A reference, the offset of the description, and a number.
    #expect(two.count - one.count == 12)
  }

  @Test(
    "payloads are aligned, whatever precedes them",
    arguments: ["", "a", "ab", "abc", "abcdefg", "abcdefghijklmno"])
  func payloads(text: String) throws {
    let fields: FlatFields = [
      0: .text(text), 1: .payload(1, count: 5), 2: .payload(0, count: 16), 3: .payload(2, count: 0),
    ]
    let output = FlatBufferOutput(fields, identifier: "TEST", mark: text)
    let written = bytes(output)
    let table = try FlatTable(rootOf: FlatBufferBytes(written), "Thing")
    for (field, number, count) in [(1, 1, 5), (2, 0, 16), (3, 2, 0)] {
      let range = try #require(try table.vector(field, width: 1))
      #expect(range.lowerBound.isMultiple(of: 16))
      #expect(Array(written[range]) == [UInt8](repeating: UInt8(100 + number), count: count))
    }
    // Every byte is known or a payload's.
    let known = output.pieces.reduce(0) { $0 + $1.bytes.count }
    #expect(known + 21 == output.count)
  }

  @Test func `payloads after the buffer have offsets in the file`() throws {
    let fields: FlatFields = [0: .offset(0), 1: .long(3), 2: .offset(1), 3: .byte(9)]
    let output = FlatBufferOutput(fields, identifier: "TEST", mark: "m", behind: [3, 2])
    let written = bytes(output)
    let table = try FlatTable(rootOf: FlatBufferBytes(written), "Thing")
    let first = try table.unsigned(0, width: 8)
    let second = try table.unsigned(2, width: 8)
    #expect(Array(written[first..<first + 3]) == [100, 100, 100])
    #expect(Array(written[second...]) == [101, 101])
    #expect(first.isMultiple(of: 16) && second.isMultiple(of: 16))
    #expect(try table.integer(3, Int8.self) == 9)
  }
}
