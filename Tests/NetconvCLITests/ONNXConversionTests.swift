import Foundation
import ModelIR
import TestSupport
import Testing

/// Conversions to ONNX, and those that are refused.
@Suite("convert writes ONNX")
struct ONNXConversionTests {
  private static let source = Fixtures.path("keras/keras2-residual.h5")

  @Test("a file alone needs no target, and is read again as a source")
  func alone() throws {
    let line = try CommandLine()
    let result = try line.netconv("convert", Self.source, "model.onnx")
    expectSuccess(result)
    #expect(result.output.contains("-> model.onnx, target onnx"))
    #expect(result.output.contains("netconv reads the file as a source of its own format"))
    #expect(try line.names() == ["model.onnx"])
    expectSuccess(try line.netconv("inspect", "model.onnx"))
    // Another file of that name is replaced only if netconv wrote it.
    expectSuccess(try line.netconv("convert", Self.source, "model.onnx", "--force", "--quiet"))
    try line.folder.write("text", to: "model.onnx")
    #expect(
      try line.netconv("convert", Self.source, "model.onnx", "--force", "--quiet").status == 73)
  }

  @Test("in a folder it lies beside the manifest, and verify compares it")
  func folder() throws {
    let line = try CommandLine()
    expectSuccess(try line.netconv("convert", Self.source, "out", "--target", "onnx", "--quiet"))
    #expect(try line.names(in: "out") == ["manifest.json", "model.npz", "model.onnx"])
    expectSuccess(try line.netconv("inspect", "out", "--stats"))
    let graph = try line.folder.bytes("out/model.onnx")
    for (offset, text) in [
      (graph.count - 3, "its graph is not the one that netconv writes of this model"),
      (graph.count / 2, "SHA-256 is"),
    ] {
      var changed = graph
      changed[offset] ^= 1
      try line.folder.write(changed, to: "out/model.onnx")
      let result = try line.netconv("inspect", "out", "--stats")
      #expect(result.status == 65)
      #expect(result.errors.contains(text), "\(result.errors)")
    }
    expectSuccess(
      try line.netconv("convert", Self.source, "out", "--target", "onnx", "--quiet", "--force"))
    #expect(try line.folder.bytes("out/model.onnx") == graph)
  }

  @Test("channels first at the ends is another file, which a folder may have too")
  func channelsFirst() throws {
    let line = try CommandLine()
    expectSuccess(
      try line.netconv(
        "convert", Self.source, "out", "--target", "onnx", "--onnx-layout", "channels-first",
        "--quiet"))
    expectSuccess(try line.netconv("inspect", "out", "--stats"))
    expectSuccess(try line.netconv("convert", Self.source, "last.onnx", "--quiet"))
    #expect(try line.folder.bytes("out/model.onnx") != line.folder.bytes("last.onnx"))
  }

  @Test("a newer operator set is another graph, which a folder may have, with the same outputs")
  func operatorSet() throws {
    let line = try CommandLine()
    let source = Fixtures.path("onnx/reductions.onnx")
    for (name, options) in [("old", []), ("new", ["--opset", "18"])] as [(String, [String])] {
      let written = try line.netconv(
        ["convert", source, name, "--target", "onnx", "--quiet"] + options)
      #expect(written.status == 0, "\(written.errors)")
      #expect(try line.netconv("inspect", name, "--stats").status == 0)
    }
    #expect(try line.netconv("diff", "old/model.onnx", "new/model.onnx").status == 0)
    #expect(try line.folder.bytes("old/model.onnx") != line.folder.bytes("new/model.onnx"))
    let wrong = try line.netconv("convert", source, "wrong.onnx", "--opset", "24")
    #expect(wrong.status == 64)
    #expect(wrong.errors.contains("--opset 24 is not from 17 to 23"), "\(wrong.errors)")
    let elsewhere = try line.netconv("convert", source, "model.npz", "--opset", "18")
    #expect(elsewhere.status == 64)
  }

  @Test(
    "what has no form is refused by name",
    arguments: [
      (
        "keras/keras3-conv-lstm.h5",
        "ONNX has no operator for ConvolutionalLSTM2D; write the weights alone, into a file that ends in .npz"
      ),
      (
        "keras/keras3-stateful.h5",
        "is stateful, but an ONNX graph keeps no state between runs; use stateful=False"
      ),
    ])
  func refused(fixture: String, message: String) throws {
    let line = try CommandLine()
    let result = try line.netconv("convert", Fixtures.path(fixture), "model.onnx", "--quiet")
    #expect(result.status == 65)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(try line.names() == [])
  }

  @Test("weights without a graph, and other targets, are refused")
  func usage() throws {
    let line = try CommandLine()
    let weights = try line.netconv("convert", Self.source, "model.onnx", "--weights-only")
    #expect(weights.status == 64)
    #expect(
      weights.errors.contains(
        "an ONNX file is a graph with its weights, but there are only weights; write them into a file that ends in .npz"
      ), "\(weights.errors)")
    let target = try line.netconv("convert", Self.source, "model.onnx", "--target", "torch")
    #expect(target.status == 64)
    #expect(
      target.errors.contains("target torch does not accept float32 weights as ONNX"),
      "\(target.errors)")
    let layout = try line.netconv(
      "convert", Self.source, "model.npz", "--onnx-layout", "channels-first")
    #expect(layout.status == 64)
    #expect(
      layout.errors.contains(
        "only ONNX graphs and Core ML packages have inputs and outputs whose layout can be chosen, and none is written; "
          + "name a file that ends in .onnx or .mlpackage"), "\(layout.errors)")
    expectSuccess(
      try line.netconv(
        "convert", Self.source, "weights", "--target", "onnx", "--weights-only", "--quiet"))
    #expect(try line.names(in: "weights") == ["manifest.json", "model.npz"])
  }
}
