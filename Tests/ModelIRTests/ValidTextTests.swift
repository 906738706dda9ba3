import ModelIR
import Testing

@Suite("Text of bytes")
struct ValidTextTests {
  @Test("bytes of UTF-8 are a text", arguments: ["", "conv1/kernel", "ein Süß", "日本/重み", "\0"])
  func valid(text: String) {
    let found = String(utf8: Array(text.utf8))
    #expect(found.map { Array($0.utf8) } == Array(text.utf8))
  }

  @Test(
    "other bytes are none, and nothing is put in their place",
    arguments: [[0x61, 0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe6, 0x97], [0x80]] as [[UInt8]])
  func invalid(bytes: [UInt8]) {
    #expect(String(utf8: bytes) == nil)
  }
}
