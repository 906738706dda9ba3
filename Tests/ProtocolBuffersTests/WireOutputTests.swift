import ModelIR
import ProtocolBuffers
import TestSupport
import Testing

@Suite struct WireOutputTests {
  private func bytes(_ output: WireOutput) -> [UInt8] {
    output.pieces.flatMap { piece -> [UInt8] in
      if case .bytes(let bytes) = piece { bytes } else { [] }
    }
  }

  /// The examples of protobuf.dev, "Encoding": 150 in field 1, "testing" in field 2, and the first of them in field 3.
  @Test func `the examples of the specification are written`() {
    var first = WireOutput()
    first.add(1, 150)
    #expect(bytes(first) == [0x08, 0x96, 0x01])
    var text = WireOutput()
    text.add(2, "testing")
    #expect(bytes(text) == [0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67])
    var outer = WireOutput()
    outer.add(3, first)
    #expect(bytes(outer) == [0x1a, 0x03, 0x08, 0x96, 0x01])
  }

  @Test func `a negative number has ten bytes, and a float four`() {
    var message = WireOutput()
    message.add(1, -2)
    message.add(2, Float(1))
    #expect(
      bytes(message) == [0x08, 0xfe] + [UInt8](repeating: 0xff, count: 8)
        + [0x01, 0x15, 0x00, 0x00, 0x80, 0x3f])
  }

  /// The length of the inner message includes that of its payload, which is not in memory.
  @Test func `payloads have their places`() {
    var inner = WireOutput()
    inner.add(1, 5)
    inner.add(9, payload: 7, count: 300)
    inner.add(2, 6)
    var outer = WireOutput()
    outer.add(4, inner)
    #expect(
      outer.pieces == [
        // 2 bytes of field 1, 3 in front of the payload, 300 of it and 2 of field 2 are 307.
        .bytes([0x22, 0xb3, 0x02, 0x08, 0x05, 0x4a, 0xac, 0x02]), .payload(7, count: 300),
        .bytes([0x10, 0x06]),
      ])
    #expect(outer.count == 310)
  }

  @Test func `what is written is read`() throws {
    var inner = WireOutput()
    inner.add(2, "x")
    var message = WireOutput()
    message.add(1, 1 << 40)
    message.add(300, inner)
    let fields = try WireBytes(bytes(message), name: "input").message("Thing").fields()
    try #require(fields.map(\.number) == [1, 300])
    #expect(try fields[0].integer() == 1 << 40)
  }
}
