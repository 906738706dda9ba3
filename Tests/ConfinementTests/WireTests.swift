import Confinement
import Testing

@Suite("Values as bytes, for the other side of a socket")
struct WireTests {
  @Test("what was put in comes out, at the bounds of each type too")
  func roundTrip() throws {
    var wire = WireWriter()
    let numbers: [Int64] = [0, -1, 1, 63, -64, 64, .max, .min]
    wire.put(numbers) { $0.put($1) }
    wire.put(UInt64.max)
    wire.put(true)
    wire.put(-0.5)
    wire.put("Gr\u{fc}\u{df}e")
    var reader = WireReader(wire.bytes)
    #expect(
      try reader.elements { wire throws(MalformedWire) in try wire.signed() } == numbers)
    #expect(try reader.number() == .max)
    #expect(try reader.bool())
    #expect(try reader.double() == -0.5)
    #expect(try reader.text() == "Gr\u{fc}\u{df}e")
    try reader.end()
  }

  @Test("small numbers take a byte, and the order of bytes is said")
  func bytes() {
    var wire = WireWriter()
    wire.put(-64)
    wire.put(64)
    wire.put(1.0)
    #expect(wire.bytes == [0x7f, 0x80, 0x01, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f])
  }

  @Test(
    "what does not fit is malformed",
    arguments: [
      // Nothing; a number that goes on; one of more than 64 bits, in ten bytes and in eleven.
      [], [0x80], [UInt8](repeating: 0xff, count: 9) + [2],
      [UInt8](repeating: 0x80, count: 10) + [0],
    ])
  func malformedNumber(bytes: [UInt8]) {
    var reader = WireReader(bytes)
    #expect(throws: MalformedWire.self) { try reader.number() }
  }

  @Test("lengths are not believed")
  func lengths() {
    // A text of 4 bytes where 3 follow; 2^62 elements; one of -1 bytes.
    for bytes: [UInt8] in [
      [8, 1, 2, 3], [UInt8](repeating: 0x80, count: 9) + [1], [1, 1, 2, 3],
    ] {
      var (text, count) = (WireReader(bytes), WireReader(bytes))
      #expect(throws: MalformedWire.self) { try text.text() }
      #expect(throws: MalformedWire.self) {
        try count.elements { wire throws(MalformedWire) in try wire.byte() }
      }
    }
    #expect(throws: MalformedWire.self) { try WireReader([1]).end() }
  }
}
