import Foundation
import TestSupport
import Testing

@Suite("Targets and containers on the command line")
struct TargetTests {
  /// The tiny model, converted for PyTorch in every format.
  private func converted() throws -> CommandLine {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    expectSuccess(
      try line.netconv(
        "convert", "blobs", "out", "--quiet", "--target", "torch", "--formats",
        "bin,archive,safetensors,npz"))
    return line
  }

  private func remove(_ name: String, in line: CommandLine) throws {
    try FileManager.default.removeItem(atPath: line.folder.file(name))
  }

  @Test("each target has its names and containers")
  func defaults() throws {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    for (target, files) in [
      ("torch", ["manifest.json", "model.safetensors"]),
      ("mlx", ["manifest.json", "model.safetensors"]),
      ("tensorflow", ["manifest.json", "model.npz"]),
      ("onnx", ["manifest.json", "model.npz", "model.onnx"]),
      ("tflite", ["manifest.json", "model.netpack", "model.tflite", "weights"]),
      ("coreml", ["manifest.json", "model.mlpackage", "model.netpack", "weights"]),
      ("ncnn", ["manifest.json", "model.netpack", "weights"]),
    ] {
      expectSuccess(try line.netconv("convert", "blobs", target, "--quiet", "--target", target))
      #expect(try line.names(in: target) == files)
    }
    let shown = try line.netconv("inspect", "tensorflow", "--tensors").output
    for name in ["conv/kernel", "conv/bias", "fc/kernel", "fc/bias"] {
      #expect(shown.contains("model.npz:\(name)"))
    }
  }

  @Test("of a folder whatever is there is read, in the order bin, archive, safetensors, npz")
  func order() throws {
    let line = try converted()
    var shown: [String] = []
    for container in ["weights", "model.netpack", "model.safetensors", "model.npz"] {
      let result = try line.netconv("convert", "out", "from-\(container)-", "--quiet")
      expectSuccess(result)
      shown.append(container)
      try remove("out/" + container, in: line)
    }
    for container in shown {
      #expect(
        try line.contents(of: "from-\(container)-/weights")
          == line.contents(of: "from-weights-/weights"))
    }
    expectError(
      try line.netconv("inspect", "out"), 66,
      "out/weights/conv.weight.bin: layer 'conv', tensor 'kernel': there is no such file, though the "
        + "manifest lists it; convert the model again")
  }

  @Test("a damaged value is found in every container", arguments: ["safetensors", "npz"])
  func damage(container: String) throws {
    let line = try converted()
    try line.flip(
      "out/model.\(container)", at: try line.folder.bytes("out/model.safetensors").count / 2)
    let result = try line.netconv("convert", "out", "again")
    #expect(result.status == 65)
    #expect(result.errors.hasPrefix("netconv: error: out/model.\(container): layer 'fc', tensor "))
    #expect(result.errors.contains("SHA-256 is "))
  }

  @Test("a lone safetensors file is transposed from what it says that it is")
  func lone() throws {
    let line = try converted()
    for (name, source) in [("lone", "out/model.safetensors"), ("whole", "blobs")] {
      expectSuccess(
        try line.netconv(
          "convert", source, name, "--quiet", "--weights-only", "--target", "mlx", "--formats",
          "bin"))
    }
    #expect(try line.contents(of: "lone/weights") == line.contents(of: "whole/weights"))
  }

  @Test("a model.json that says another layout than the file is refused")
  func contradiction() throws {
    let line = try converted()
    try line.folder.copy(line.folder.file("out/model.safetensors"), to: "blobs/model.safetensors")
    var document = TinyModel.document
    for (file, tensor) in [
      ("conv_W.bin", "conv.weight"), ("conv_b.bin", "conv.bias"), ("fc_W.bin", "fc.weight"),
      ("fc_b.bin", "fc.bias"),
    ] {
      document = document.replacing(
        "\"file\": \"\(file)\"", with: "\"file\": \"model.safetensors\", \"tensor\": \"\(tensor)\"")
    }
    try line.folder.write(document, to: "blobs/model.json")
    expectError(
      try line.netconv("inspect", "blobs"), 65,
      "blobs/model.json: layer 'fc', tensor 'kernel': layout is '(HWI)O' in model.json, but 'O(IHW)' in "
        + "'model.safetensors:fc.weight'; use the file's value")
    try line.folder.write(document.replacing("(HWI)O", with: "O(IHW)"), to: "blobs/model.json")
    expectSuccess(
      try line.netconv(
        "convert", "blobs", "again", "--quiet", "--target", "torch", "--formats", "safetensors"))
    expectSuccess(
      try line.netconv(
        "convert", "out", "back", "--quiet", "--target", "torch", "--formats", "safetensors"))
    #expect(
      try line.folder.bytes("again/model.safetensors").suffix(2028)
        == line.folder.bytes("back/model.safetensors").suffix(2028))
  }

  @Test(
    "what layers share across unlike flattens keeps the source's layout for PyTorch")
  func sharedFlatten() throws {
    let line = try CommandLine()
    let source = Fixtures.path("keras/keras2-shared-flatten.h5")
    let refused = try line.netconv("convert", source, "out", "--target", "torch")
    #expect(refused.status == 65)
    #expect(refused.errors.contains("\n  'once' kernel: (HWI)O\n"), "\(refused.errors)")
    #expect(try line.names() == [])
    let result = try line.netconv("convert", source, "out", "--target", "torch", "--no-strict")
    #expect(result.status == 0)
    #expect(
      result.errors == """
        netconv: warning: target torch has no layout for 6 tensors; they keep the source's
          'once' kernel: (HWI)O
          'norm' gamma: (HWC)
          'norm' beta: (HWC)
          'norm' mean: (HWC)
          'norm' variance: (HWC)
          'both' kernel: IO

        """)
    expectSuccess(try line.netconv("convert", "out", "back", "--quiet", "--formats", "bin"))
    expectSuccess(try line.netconv("convert", source, "direct", "--quiet", "--formats", "bin"))
    #expect(try line.contents(of: "back/weights") == line.contents(of: "direct/weights"))
    #expect(
      try line.netconv("convert", source, "strict", "--target", "torch", "--strict").status == 65)
  }

  @Test("TensorFlow Lite gets arrays of C that compile and hold every bit")
  func source() throws {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    expectSuccess(
      try line.netconv(
        "convert", "blobs", "out", "--quiet", "--target", "tflite", "--formats", "bin,c"))
    let program = """
      #include <stdio.h>
      #include "out/model.h"
      int main(void) {
        fwrite(netconv_conv_W, 1, sizeof netconv_conv_W, stdout);
        fwrite(netconv_conv_b, 1, sizeof netconv_conv_b, stdout);
        fwrite(netconv_fc_W, 1, sizeof netconv_fc_W, stdout);
        fwrite(netconv_fc_b, 1, sizeof netconv_fc_b, stdout);
        return 0;
      }
      """
    try line.folder.write(program, to: "main.c")
    let command =
      "$(command -v clang || command -v cc) -std=c99 -Wall -Wextra -Werror -I. main.c out/model.c -o program && ./program > values "
      + "&& cat out/weights/conv_W.bin out/weights/conv_b.bin out/weights/fc_W.bin "
      + "out/weights/fc_b.bin | cmp - values"
    #expect(try RunningProgram.run(["/bin/sh", "-c", command], in: line.folder.path).status == 0)
  }

  @Test("arrays of C are for TensorFlow Lite, in float32, and beside something that can be read")
  func sourceRefusals() throws {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    expectError(
      try line.netconv("convert", "blobs", "out", "--formats", "bin,c"), 64,
      "target mps does not accept float32 weights as C; it is for --target tflite and --formats bin,c, in float32"
    )
    expectError(
      try line.netconv(
        "convert", "blobs", "out", "--target", "tflite", "--formats", "bin,c", "--dtype", "float16"),
      64,
      "target tflite does not accept float16 weights as C; it is for --target tflite and --formats bin,c, in float32"
    )
    expectError(
      try line.netconv("convert", "blobs", "out", "--target", "tflite", "--formats", "c"), 64,
      "C cannot be read back; write another format with it, as in --formats bin,c")
    // Each message ends with a command that works, whichever came first.
    expectError(
      try line.netconv("convert", "blobs", "out", "--formats", "c"), 64,
      "target mps does not accept float32 weights as C; it is for --target tflite and --formats bin,c, in float32"
    )
    expectSuccess(
      try line.netconv("convert", "blobs", "out", "--target", "tflite", "--formats", "bin,c", "-q"))
  }
}
