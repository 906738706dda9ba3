import Digests
import Foundation
import Testing

@Suite struct SHA256Tests {
  private func hash(_ text: String, inPiecesOf size: Int = .max) -> String {
    var hash = SHA256()
    let bytes = Array(text.utf8)
    for first in stride(from: 0, to: bytes.count, by: min(size, max(bytes.count, 1))) {
      let piece = bytes[first..<min(first + min(size, bytes.count), bytes.count)]
      piece.withUnsafeBytes { hash.update($0) }
    }
    return hash.finalize().map { String(format: "%02x", $0) }.joined()
  }

  /// Messages of FIPS 180-4's examples, and none.
  @Test func `messages have the hashes that the standard's examples say`() {
    #expect(hash("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(hash("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    let million = String(repeating: "a", count: 1_000_000)
    #expect(
      hash(million, inPiecesOf: 4099)
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  /// Around the lengths where the padding needs another block; from coreutils' sha256sum.
  @Test(arguments: [
    (55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
    (56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
    (63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"),
    (64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
    (65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"),
    (119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"),
    (120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"),
  ])
  func `as many letters a have the hash, in pieces too`(_ count: Int, _ expected: String) {
    let text = String(repeating: "a", count: count)
    for size in [1, 7, 64, 100] { #expect(hash(text, inPiecesOf: size) == expected) }
  }
}
