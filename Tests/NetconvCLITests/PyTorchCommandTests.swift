import Foundation
import TestSupport
import Testing

@Suite("PyTorch files on the command line")
struct PyTorchCommandTests {
  private func line(_ names: String...) throws -> CommandLine {
    let line = try CommandLine()
    for name in names { try line.folder.copy(Fixtures.path("pytorch/\(name)"), to: name) }
    return line
  }

  private static let inside =
    "all names are constructors of torch, collections and numpy"

  @Test("a state dictionary keeps its names on the way to PyTorch and back")
  func names() throws {
    let line = try line("state.pt")
    let result = try line.netconv(
      "convert", "state.pt", "out.safetensors", "--weights-only", "--target", "torch")
    #expect(result.status == 0, "\(result.errors)")
    let header = String(decoding: try line.folder.bytes("out.safetensors"), as: UTF8.self)
    for name in [
      "conv1.weight", "conv1.bias", "bn1.weight", "bn1.bias", "bn1.running_mean",
      "bn1.running_var", "act.weight", "norm.weight", "norm.bias", "lstm.weight_ih_l0",
      "lstm.weight_hh_l0", "lstm.bias_ih_l0", "lstm.bias_hh_l0",
    ] {
      #expect(header.contains("\"\(name)\":"), "\(name)")
    }
    let same = try line.netconv("diff", "state.pt", "out.safetensors", "--exact")
    #expect(same.output.contains("equal: 13 equal"), "\(same.output)\(same.errors)")
  }

  @Test("inspect says what Python would run, and runs nothing")
  func calls() throws {
    let line = try line("state.pt", "module-own.pt")
    let state = try line.netconv("inspect", "state.pt", "--strict")
    expectSuccess(state)
    #expect(
      state.output.contains("pickle: Python would make 31 calls to load it; \(Self.inside)\n"),
      "\(state.output)")
    let module = try line.netconv("inspect", "module-own.pt", "--strict", "--pickle-calls")
    #expect(module.status == 1)
    #expect(
      module.output.contains(
        "other than constructors of torch, collections and numpy is 1 name: "
          + "'project.blocks.Block'\n"), "\(module.output)")
    #expect(module.output.contains("  project.blocks.Block"))
    let json = try jsonObject(line.netconv("inspect", "module-own.pt", "--json").output.utf8)
    let pickle = try #require(json["pickle"] as? [String: Any])
    #expect(pickle["outside"] as? [String] == ["project.blocks.Block"])
    let names = try #require(pickle["names"] as? [[String: Any]])
    let own = names.filter { $0["name"] as? String == "project.blocks.Block" }
    #expect(own.map { $0["kind"] as? String } == ["import", "new", "state"])
    #expect(own.allSatisfy { $0["isOutside"] as? Bool == true })
  }

  /// Pickles with side effects in Python's `pickle`.
  static let attacks: [(String, String, String)] = [
    ("a command", "cos\nsystem\n(S'touch ran'\ntR.", "'os.system'"),
    ("a file", "cio\nopen\n(S'ran'\nS'w'\ntR.", "'io.open'"),
    ("a function of PyTorch's", "ctorch.hub\nload\n(S'a/b'\nS'c'\ntR.", "'torch.hub.load'"),
    ("a module that is only imported", "cantigravity\nfly\n.", "'antigravity.fly'"),
    (
      "a way through a module", "\u{80}\u{4}\u{8c}\u{5}torch\u{8c}\u{9}os.system\u{93}.",
      "'torch.os.system'"
    ),
    (
      "a function that another calls",
      "ctorch._tensor\n_rebuild_from_type_v2\n(cos\nsystem\nNS'touch ran'\n\u{85}NtR.",
      "'os.system'"
    ),
  ]

  @Test(
    "a pickle that would do something is listed, does nothing, and fails with --strict",
    arguments: attacks)
  func attack(name: String, text: String, outside: String) throws {
    let line = try CommandLine()
    var bytes = text.unicodeScalars.map { UInt8($0.value) }
    // What says that it is a pickle, which PyTorch loads like any other file.
    if bytes.first != 0x80 { bytes = [0x80, 2] + bytes }
    try line.folder.write(bytes, to: "evil.pt")
    let result = try line.netconv("inspect", "evil.pt", "--strict")
    #expect(result.status == 1)
    #expect(
      result.output.contains("numpy is 1 name: \(outside)\n"), "\(result.output)\(result.errors)")
    #expect(
      result.errors
        == "netconv: warning: evil.pt: holds no tensors that netconv recognises; save the network's state_dict() with "
        + "torch.save\n")
    expectError(
      try line.netconv("convert", "evil.pt", "out", "--weights-only"), 65,
      "evil.pt: holds no tensors that netconv recognises; save the network's state_dict() with torch.save"
    )
    #expect(try line.names() == ["evil.pt"])
  }

  @Test("a pickle that breaks off is refused with the names that it had until then")
  func brokenOff() throws {
    let line = try CommandLine()
    try line.folder.write(
      [0x80, 2] + Array("cos\nsystem\n(S'touch ran'\ntR\u{20}".utf8), to: "evil.pt")
    expectError(
      try line.netconv("inspect", "evil.pt"), 65,
      "evil.pt: the pickle cannot be read: byte 29 is 20, which is not an operation\n"
        + "  until there Python would import or call: 'os.system'")
  }

  @Test("a part that is not there, and one where there are no parts, are wrong usage")
  func entries() throws {
    let line = try line("two.pt", "state.pt")
    expectError(
      try line.netconv("convert", "two.pt", "out", "--weights-only"), 65,
      "two.pt: holds 2 sets of weights; choose one with --entry\n  'model' (7 tensors)\n  'ema' (7 tensors)"
    )
    expectError(
      try line.netconv("convert", "two.pt", "out", "--weights-only", "--entry", "emma"), 64,
      "two.pt: --entry names 'emma', which holds no weights; there are\n  'model' (7 tensors)\n  'ema' (7 tensors)"
    )
    let inspected = try line.netconv("inspect", "two.pt", "--tensors")
    #expect(inspected.status == 0)
    #expect(
      inspected.output.contains("ema.0.weight") && inspected.output.contains("model.0.weight"))
    #expect(inspected.errors.contains("holds 2 sets of weights; choose one with --entry"))
    try line.folder.copy(Fixtures.path("keras/keras2-reshape-dense.h5"), to: "m.h5")
    expectError(
      try line.netconv("inspect", "m.h5", "--entry", "model"), 64,
      "m.h5: holds one network; leave out --entry, which is for files of PyTorch and Neural Amp Modeler that hold several"
    )
  }

  @Test("a damaged value is found before anything is written")
  func damaged() throws {
    let line = try line("state.pt")
    // Values of data/0 begin at a multiple of 64 behind the pickle; 3.25 is the first of those of conv1.
    let bytes = try line.folder.bytes("state.pt")
    let place = try #require(bytes.firstRange(of: Array("data/0".utf8))).upperBound + 100
    try line.flip("state.pt", at: place)
    let result = try line.netconv("convert", "state.pt", "out", "--weights-only")
    #expect(result.status == 65)
    #expect(result.errors.contains("does not match its checksum"), "\(result.errors)")
    #expect(try line.names() == ["state.pt"])
  }
}
