import Foundation
import ModelIR
import TestSupport
import Testing

/// Conversions to TensorFlow Lite, and those that are refused.
@Suite("convert writes TensorFlow Lite")
struct TFLiteConversionTests {
  private static let source = Fixtures.path("keras/keras2-residual.h5")

  @Test("a file alone needs no target, and is read again as a source")
  func alone() throws {
    let line = try CommandLine()
    let result = try line.netconv("convert", Self.source, "model.tflite")
    expectSuccess(result)
    #expect(result.output.contains("-> model.tflite, target tflite"))
    #expect(result.output.contains("netconv reads the file as a source of its own format"))
    #expect(try line.names() == ["model.tflite"])
    expectSuccess(try line.netconv("inspect", "model.tflite"))
    // Another file of that name is replaced only if netconv wrote it.
    expectSuccess(try line.netconv("convert", Self.source, "model.tflite", "--force", "--quiet"))
    try line.folder.write("text", to: "model.tflite")
    #expect(
      try line.netconv("convert", Self.source, "model.tflite", "--force", "--quiet").status == 73)
  }

  @Test("in a folder it lies beside the manifest, and verify compares it")
  func folder() throws {
    let line = try CommandLine()
    expectSuccess(try line.netconv("convert", Self.source, "out", "--target", "tflite", "--quiet"))
    #expect(
      try line.names(in: "out") == ["manifest.json", "model.netpack", "model.tflite", "weights"])
    expectSuccess(try line.netconv("inspect", "out", "--stats"))
    let graph = try line.folder.bytes("out/model.tflite")
    for (offset, text) in [
      (40, "its graph is not the one that netconv writes of this model"),
      (graph.count - 3, "SHA-256 is"),
    ] {
      var changed = graph
      changed[offset] ^= 1
      try line.folder.write(changed, to: "out/model.tflite")
      let result = try line.netconv("inspect", "out", "--stats")
      #expect(result.status == 65)
      #expect(result.errors.contains(text), "\(result.errors)")
    }
    expectSuccess(
      try line.netconv("convert", Self.source, "out", "--target", "tflite", "--quiet", "--force"))
    #expect(try line.folder.bytes("out/model.tflite") == graph)
  }

  @Test("float16 kernels are read again, and make a smaller file")
  func half() throws {
    let line = try CommandLine()
    expectSuccess(
      try line.netconv("convert", Self.source, "half.tflite", "--dtype", "float16", "--quiet"))
    expectSuccess(try line.netconv("convert", Self.source, "whole.tflite", "--quiet"))
    let (half, whole) = try (line.folder.bytes("half.tflite"), line.folder.bytes("whole.tflite"))
    #expect(half.count < whole.count)
    let shown = try line.netconv("inspect", "half.tflite", "--tensors")
    expectSuccess(shown)
    #expect(shown.output.contains("float16"))
    let integers = try line.netconv("convert", Self.source, "i.tflite", "--dtype", "int8")
    #expect(integers.status == 64)
  }

  @Test("names are written as their bytes in the source", arguments: ["n.tflite", "n.onnx"])
  func names(file: String) throws {
    let line = try CommandLine()
    expectSuccess(try line.netconv("convert", Fixtures.path("names/names.h5"), file, "--quiet"))
    let bytes = try line.folder.bytes(file)
    // An e with a combining accent, and no scalar of a private plane.
    #expect(Data(bytes).range(of: Data([0x65, 0xcc, 0x81])) != nil)
    #expect(Data(bytes).range(of: Data([0xf3, 0xb1, 0x80, 0x80, 0xf3])) == nil)
  }

  @Test(
    "a file that was read is written as it was",
    arguments: [
      "keras/keras2-residual.h5", "keras/keras3-batch-norm.h5", "keras/keras3-cells.h5",
      "keras/keras3-group-normalizations.h5",
    ])
  func fixedPoint(fixture: String) throws {
    let line = try CommandLine()
    expectSuccess(try line.netconv("convert", Fixtures.path(fixture), "net.tflite", "--quiet"))
    for folder in ["a", "b"] { try line.folder.write("", to: "\(folder)/here") }
    expectSuccess(try line.netconv("convert", "net.tflite", "a/net.tflite", "--quiet"))
    expectSuccess(try line.netconv("convert", "a/net.tflite", "b/net.tflite", "--quiet"))
    #expect(try line.folder.bytes("a/net.tflite") == line.folder.bytes("b/net.tflite"))
  }

  @Test(
    "what has no form is refused by name",
    arguments: [
      (
        "keras/keras3-conv-lstm.h5",
        "ConvolutionalLSTM2D is not written as TensorFlow Lite; write the weights alone, into a file that ends in .npz"
      ),
      (
        "keras/keras3-stateful.h5",
        "is stateful, which is not written: the graph keeps no state between runs; use stateful=False"
      ),
    ])
  func refused(fixture: String, message: String) throws {
    let line = try CommandLine()
    let result = try line.netconv("convert", Fixtures.path(fixture), "model.tflite", "--quiet")
    #expect(result.status == 65)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(try line.names() == [])
  }

  @Test("weights without a graph, and other targets, are refused")
  func usage() throws {
    let line = try CommandLine()
    let weights = try line.netconv("convert", Self.source, "model.tflite", "--weights-only")
    #expect(weights.status == 64)
    #expect(
      weights.errors.contains(
        "a TensorFlow Lite file is a graph with its weights, but there are only weights; write them into a file that ends in .npz"
      ), "\(weights.errors)")
    let target = try line.netconv("convert", Self.source, "model.tflite", "--target", "torch")
    #expect(target.status == 64)
    #expect(
      target.errors.contains("target torch does not accept float32 weights as TFLITE"),
      "\(target.errors)")
    expectSuccess(
      try line.netconv(
        "convert", Self.source, "weights", "--target", "tflite", "--weights-only", "--quiet"))
    #expect(try line.names(in: "weights") == ["manifest.json", "model.netpack", "weights"])
  }
}
