import Foundation
import TestSupport
import Testing

@Suite("File names, whatever a source calls its layers")
struct NamingTests {
  private func weights(_ fixture: String) throws -> [String] {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/\(fixture).h5"), to: "m.h5")
    expectSuccess(try line.netconv("convert", "m.h5", "out", "--quiet"))
    #expect(try line.names() == ["m.h5", "out"])
    #expect(try line.names(in: "out") == ["manifest.json", "model.netpack", "weights"])
    expectSuccess(try line.netconv("inspect", "out", "--tensors"))
    expectSuccess(try line.netconv("inspect", "out/model.netpack"))
    return try line.names(in: "out/weights")
  }

  @Test(
    "characters outside A-Za-z0-9._- become _, so that no name leaves the folder",
    arguments: [
      ("name-traversal", [".._.._evil_W.bin", ".._.._evil_b.bin", "fc_W.bin", "fc_b.bin"]),
      ("name-separators", ["block_conv_1_W.bin", "block_conv_1_b.bin", "fc_W.bin", "fc_b.bin"]),
      ("name-unicode", ["Faltung-____W.bin", "Faltung-____b.bin", "fc_W.bin", "fc_b.bin"]),
    ])
  func characters(fixture: String, names: [String]) throws {
    #expect(try weights(fixture) == names)
  }

  @Test("a name over 200 bytes is cut and gets 8 digits of its SHA-256")
  func length() throws {
    let start = String(repeating: "a", count: 200)
    // The layer is called 2,500 times a, then 2,500 times b: sha256sum of that and _b, _W.
    #expect(
      try weights("name-long") == [
        start + "-62277c89.bin", start + "-e3babd21.bin", "fc_W.bin", "fc_b.bin",
      ])
  }

  @Test("names that fall together, also but for case, get -2")
  func clashes() throws {
    #expect(
      try weights("name-clash") == [
        "Conv_W.bin", "Conv_b.bin", "a_b_W-2.bin", "a_b_W.bin", "a_b_b-2.bin", "a_b_b.bin",
        "conv_W-2.bin", "conv_b-2.bin", "fc_W.bin", "fc_b.bin",
      ])
  }

  @Test("a template that says too little is refused")
  func template() throws {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    expectError(
      try line.netconv("convert", "blobs", "out", "--naming", "w.{role}", "--quiet"), 64,
      "naming 'w.{role}' gives 2 tensors the name 'w.W'; add {layer} to it\n"
        + "  'conv' kernel\n  'fc' kernel")
  }

  @Test("hidden characters in a name do not reach the terminal")
  func controlCharacters() throws {
    let line = try CommandLine()
    let document = TinyModel.document.replacing("flatten", with: #"a\u001b[31m\nb\u202e\u200b"#)
    try TinyModel.write(to: line, document: document)
    let result = try line.netconv("inspect", "blobs")
    expectSuccess(result)
    #expect(result.output.contains(#"a\u{1b}[31m\u{a}b\u{202e}\u{200b}"#))
    #expect(
      !result.output.unicodeScalars.contains {
        $0.value < 0x20 && $0 != "\n" || $0 == "\u{202e}" || $0 == "\u{200b}"
      })
  }
}
