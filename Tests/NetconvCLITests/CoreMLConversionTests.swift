import Foundation
import ModelIR
import TestSupport
import Testing

/// Conversions to Core ML packages, and those that are refused.
@Suite("convert writes Core ML packages")
struct CoreMLConversionTests {
  private static let source = Fixtures.path("keras/keras2-residual.h5")

  @Test("a package alone needs no target, and is read again as a source")
  func alone() throws {
    let line = try CommandLine()
    let result = try line.netconv("convert", Self.source, "net.mlpackage")
    expectSuccess(result)
    #expect(result.output.contains("-> net.mlpackage, target coreml"))
    #expect(try line.names() == ["net.mlpackage"])
    #expect(try line.names(in: "net.mlpackage") == ["Data", "Manifest.json"])
    expectSuccess(try line.netconv("inspect", "net.mlpackage"))
    expectSuccess(try line.netconv("convert", Self.source, "net.mlpackage", "--force", "--quiet"))
    // The package of another program, and a folder with anything else in it, are not replaced.
    let manifest = try line.folder.bytes("net.mlpackage/Manifest.json")
    try line.folder.write([UInt8](manifest.dropLast(2)), to: "net.mlpackage/Manifest.json")
    let foreign = try line.netconv("convert", Self.source, "net.mlpackage", "--force", "--quiet")
    #expect(foreign.status == 73)
    try line.folder.write(manifest, to: "net.mlpackage/Manifest.json")
    try line.folder.write("mine", to: "net.mlpackage/notes.txt")
    let notes = try line.netconv("convert", Self.source, "net.mlpackage", "--force", "--quiet")
    #expect(notes.status == 73)
    #expect(notes.errors.contains("notes.txt"), "\(notes.errors)")
  }

  @Test("a package that was read computes the same")
  func same() throws {
    let line = try CommandLine()
    expectSuccess(try line.netconv("convert", Self.source, "net.mlpackage", "--quiet"))
    let result = try line.netconv("verify", "net.mlpackage", "--against", Self.source)
    #expect(result.status == 0, "\(result.output) \(result.errors)")
  }

  @Test("in a folder it lies beside the manifest, and every byte of it is compared")
  func folder() throws {
    let line = try CommandLine()
    expectSuccess(try line.netconv("convert", Self.source, "out", "--target", "coreml", "--quiet"))
    expectSuccess(try line.netconv("inspect", "out", "--stats"))
    let data = "out/model.mlpackage/Data/com.apple.CoreML/"
    for (file, place, text) in [
      ("model.mlmodel", 40, "its graph is not the one that netconv writes of this model"),
      // The type in the header of the first array, and its first value.
      ("weights/weight.bin", 68, "its graph is not the one that netconv writes of this model"),
      ("weights/weight.bin", 128, "SHA-256 is"),
    ] {
      let bytes = try line.folder.bytes(data + file)
      var changed = bytes
      changed[place] ^= 1
      try line.folder.write(changed, to: data + file)
      let result = try line.netconv("inspect", "out", "--stats")
      #expect(result.status == 65, "\(file) \(place)")
      #expect(result.errors.contains(text), "\(result.errors)")
      try line.folder.write(bytes, to: data + file)
    }
    expectSuccess(
      try line.netconv("convert", Self.source, "out", "--target", "coreml", "--quiet", "--force"))
  }

  @Test("--formats bin keeps the arrays, and the layout of inputs can be chosen")
  func options() throws {
    let line = try CommandLine()
    expectSuccess(
      try line.netconv(
        "convert", Self.source, "arrays", "--target", "coreml", "--formats", "bin", "--quiet"))
    #expect(try line.names(in: "arrays") == ["manifest.json", "weights"])
    expectSuccess(
      try line.netconv(
        "convert", Self.source, "first.mlpackage", "--onnx-layout", "channels-first", "--quiet"))
    #expect(
      try line.netconv("convert", Self.source, "o.mlpackage", "--opset", "18").status == 64)
  }

  @Test(
    "what has no form is refused by name",
    arguments: [
      ("keras/keras3-conv-lstm.h5", "Core ML has no operator for ConvolutionalLSTM"),
      ("keras/keras3-stateful.h5", "is stateful"),
    ])
  func refused(fixture: String, message: String) throws {
    let line = try CommandLine()
    let result = try line.netconv("convert", Fixtures.path(fixture), "net.mlpackage", "--quiet")
    #expect(result.status == 65)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(try line.names() == [])
  }

  @Test("a graph that is refused still gives its weights")
  func weights() throws {
    let line = try CommandLine()
    let source = Fixtures.path("coreml/palette.mlpackage")
    expectSuccess(try line.netconv("convert", source, "out", "--weights-only", "--quiet"))
    #expect(try line.netconv("inspect", Fixtures.path("coreml/refused-gru.mlmodel")).status == 0)
    #expect(try line.netconv("convert", source, "model.mlmodel").status == 64)
  }

  @Test("truncated and damaged packages are refused with the file's name")
  func damaged() throws {
    let line = try CommandLine()
    expectSuccess(try line.netconv("convert", Self.source, "net.mlpackage", "--quiet"))
    let data = "net.mlpackage/Data/com.apple.CoreML/"
    for file in ["model.mlmodel", "weights/weight.bin"] {
      let bytes = try line.folder.bytes(data + file)
      for count in [0, 8, 60, bytes.count / 2, bytes.count - 1] {
        try line.folder.write([UInt8](bytes.prefix(count)), to: data + file)
        let result = try line.netconv("convert", "net.mlpackage", "out", "--quiet", "--force")
        #expect(result.status == 65, "\(file) \(count): \(result.errors)")
      }
      try line.folder.write(bytes, to: data + file)
    }
  }
}
