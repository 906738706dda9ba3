import Foundation
import TestSupport
import Testing

@Suite("The same input gives the same bytes")
struct DeterminismTests {
  @Test("two conversions are equal, whatever they are called and wherever they go")
  func twice() throws {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/keras2-conv-same.h5"), to: "m.h5")
    expectSuccess(try line.netconv("convert", "m.h5", "first", "--quiet"))
    expectSuccess(
      try line.netconv(
        "convert", "./m.h5", line.folder.file("second"), "--quiet",
        environment: ["TZ": "Asia/Tokyo", "LC_ALL": "C", "NETCONV_CPU": "base"]))
    let first = try line.contents(of: "first")
    #expect(first.count > 4)
    #expect(try line.contents(of: "second") == first)

    expectSuccess(try line.netconv("convert", "m.h5", "alone.netpack", "--quiet"))
    expectSuccess(
      try line.netconv("convert", "m.h5", "packed", "--formats", "archive", "--quiet"))
    #expect(
      try line.folder.bytes("alone.netpack") == line.folder.bytes("packed/model.netpack"))
  }

  @Test("converting an output again gives every tensor again", arguments: ["float32", "float16"])
  func again(dtype: String) throws {
    let line = try CommandLine()
    for fixture in [
      "keras2-conv-same", "keras3-batch-norm", "keras2-shared-layer", "keras3-shared-flatten",
    ] {
      try line.folder.copy(Fixtures.path("keras/\(fixture).h5"), to: fixture)
      let first = "\(fixture)-first"
      expectSuccess(try line.netconv("convert", fixture, first, "--dtype", dtype, "--quiet"))
      for source in [first, first + "/model.netpack"] {
        expectSuccess(
          try line.netconv("convert", source, "second", "--dtype", dtype, "--quiet", "--force"))
        #expect(
          try line.contents(of: "second/weights") == line.contents(of: first + "/weights"),
          "\(source)")
      }
    }
  }

  @Test("float16 halves kernels, keeps biases, and changes the accuracy by 0.1 % at most")
  func float16() throws {
    let line = try CommandLine()
    let source = Fixtures.sample("deep-mnist/deep-mnist.h5")
    expectSuccess(try line.netconv("convert", source, "half", "--dtype", "float16", "--quiet"))
    let manifest = try jsonObject(try line.folder.bytes("half/manifest.json"))
    let tensors = try #require(manifest["tensors"] as? [[String: Any]])
    #expect(tensors.count == 8)
    for tensor in tensors {
      #expect(
        tensor["dtype"] as? String == (tensor["role"] as? String == "bias" ? "float32" : "float16"))
    }
    let accuracies = try [source, "half"].map { path in
      let result = try line.netconv("verify", path, "--limit", "2000", "--json")
      return try #require(try jsonObject(result.output.utf8)["accuracy"] as? Double)
    }
    #expect(abs(accuracies[0] - accuracies[1]) <= 0.001)
    #expect(accuracies[0] > 0.98)
  }
}
