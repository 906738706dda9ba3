import Foundation
import TestSupport
import Testing

/// Layers that return their states, on the command line: one layer with several outputs.
@Suite struct StateOutputTests {
  private static let source = Fixtures.path("keras/keras2-recurrent-states.h5")

  @Test func `the manifest names the outputs of a layer, which is there once`() throws {
    let line = try CommandLine()
    expectSuccess(try line.netconv("convert", Self.source, "out", "--quiet"))
    let manifest = try jsonObject(line.folder.bytes("out/manifest.json"))
    let model = try #require(manifest["model"] as? [String: Any])
    let layers = try #require(model["layers"] as? [[String: Any]])
    let outputs = layers.reduce(into: [String: [String]]()) { outputs, layer in
      outputs[layer["name"] as? String ?? ""] = layer["outputs"] as? [String]
    }
    #expect(
      outputs == ["encoder": ["encoder", "encoder/1", "encoder/2"], "gru": ["gru", "gru/1"]])
    #expect(layers.count == 9)
    expectSuccess(try line.netconv("verify", "out", "--against", Self.source))
    // The folder is read as it was written.
    let diff = try line.netconv("diff", Self.source, "out")
    expectSuccess(diff)
    #expect(diff.output.contains("the graphs are equal"))
  }

  @Test func `each output has a row`() throws {
    let result = try CommandLine().netconv("inspect", Self.source)
    expectSuccess(result)
    #expect(result.output.contains("  encoder     LSTM         (None, 6, 4)         128  steps\n"))
    #expect(result.output.contains("  encoder/1                (None, 4)\n"))
    #expect(result.output.contains("9 layers behind 3 inputs"))
  }

  @Test func `a state is kept and renamed like a layer`() throws {
    let line = try CommandLine()
    let renamed = try line.netconv(
      "convert", Self.source, "out", "--rename", "encoder=memories", "--quiet")
    expectSuccess(renamed)
    let inspected = try line.netconv("inspect", "out")
    #expect(inspected.output.contains("  memories/2 "))
    let result = try line.netconv(
      "diff", Self.source, "out")
    #expect(result.output.contains("the graphs are equal"), "\(result.output)")
  }

  @Test func `TensorFlow.js has no states among its outputs here`() throws {
    let result = try CommandLine().netconv(
      "convert", Self.source, "out", "--target", "tfjs", "--no-strict")
    #expect(result.status == 65)
    #expect(result.errors.contains("'encoder/1'"), "\(result.errors)")
  }
}
