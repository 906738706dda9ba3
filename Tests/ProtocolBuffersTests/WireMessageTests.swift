import ModelIR
import ProtocolBuffers
import TestSupport
import Testing

@Suite struct WireMessageTests {
  private func message(_ bytes: [UInt8]) -> WireMessage {
    WireBytes(bytes, name: "input").message("Thing")
  }

  /// The examples of protobuf.dev, "Encoding": 150 in field 1, "testing" in field 2, packed numbers in field 4.
  @Test func `the examples of the specification are read`() throws {
    let fields = try message([
      0x08, 0x96, 0x01, 0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67, 0x22, 0x06, 0x03,
      0x8e, 0x02, 0x9e, 0xa7, 0x05,
    ]).fields()
    try #require(fields.map(\.number) == [1, 2, 4])
    #expect(try fields[0].integer() == 150)
    #expect(try fields[1].text() == "testing")
    var numbers: [Int] = []
    try fields[2].forEachInteger { numbers.append($0) }
    #expect(numbers == [3, 270, 86_942])
  }

  @Test func `a negative number has ten bytes, and no more`() throws {
    let ones = [UInt8](repeating: 0xff, count: 9)
    #expect(try message([0x08] + ones + [1]).fields().first?.integer() == -1)
    #expect(
      thrown { try message([0x08] + ones + [2]).fields() }?.message
        == "Thing: the number at byte 1 has more than 64 bits")
  }

  @Test func `what goes on beyond the end is refused with its place`() {
    #expect(
      thrown { try message([0x08, 0x96]).fields() }?.message
        == "Thing is cut off at byte 1; the file is truncated or damaged")
    #expect(
      thrown { try message([0x12, 0x07, 0x74]).fields() }?.message
        == "Thing: field 2 at byte 0 has 7 bytes, but only 1 are left; the file is truncated or damaged"
    )
  }

  @Test func `a part of the bytes is a message of its own`() throws {
    let bytes = WireBytes([0xff, 0x08, 0x05, 0xff], name: "input")
    #expect(try bytes.message("Part", at: 1..<3).fields().first?.integer() == 5)
  }
}
