import Foundation
import TestSupport
import Testing

/// `netconv relate` as its user sees it.
@Suite("relate")
struct RelateTests {
  private static let mnist = Fixtures.sample("deep-mnist/deep-mnist.h5")

  private func converted(_ options: String...) throws -> CommandLine {
    let line = try CommandLine()
    try line.folder.copy(Self.mnist, to: "ckpt.h5")
    expectSuccess(try line.netconv(["convert", "ckpt.h5", "out", "-q"] + options))
    return line
  }

  @Test("each tensor of a conversion is named, with what became of its axes")
  func conversion() throws {
    let line = try converted("--target", "mps")
    let result = try line.netconv("relate", "ckpt.h5", "out")
    expectSuccess(result)
    #expect(
      result.output == """
        A  ckpt.h5 (keras-h5, keras 2.21.0), 8 tensors
        B  out (netconv, keras 2.21.0), 8 tensors

        weights/conv1_W.bin (32, 5, 5, 1) = /model_weights/conv1/conv1/kernel:0 (5, 5, 1, 32), h w 1 o -> o h w 1
        weights/conv1_b.bin (32) = /model_weights/conv1/conv1/bias:0 (32), as it is
        weights/conv2_W.bin (64, 5, 5, 32) = /model_weights/conv2/conv2/kernel:0 (5, 5, 32, 64), h w i o -> o h w i
        weights/conv2_b.bin (64) = /model_weights/conv2/conv2/bias:0 (64), as it is
        weights/fc1_W.bin (1024, 7, 7, 64) = /model_weights/fc1/fc1/kernel:0 (3136, 1024), (h w i) o -> o h w i, h=7, w=7
        weights/fc1_b.bin (1024) = /model_weights/fc1/fc1/bias:0 (1024), as it is
        weights/fc2_W.bin (10, 1, 1, 1024) = /model_weights/fc2/fc2/kernel:0 (1024, 10), i o -> o 1 1 i
        weights/fc2_b.bin (10) = /model_weights/fc2/fc2/bias:0 (10), as it is

        for mps, as B's layouts say: 8 of 8 tensors have the right layout

        complete: 8 related

        """)
    // The other way round, and over a file that knows no layouts.
    expectSuccess(try line.netconv("relate", "out", "ckpt.h5", "-q"))
    expectSuccess(
      try line.netconv("convert", "ckpt.h5", "out.safetensors", "--target", "torch", "-q"))
    expectSuccess(try line.netconv("relate", "out", "out.safetensors", "-q"))
  }

  @Test("a tensor of which one value was changed is the same up to rounding, or but for that value")
  func changed() throws {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.sample("lenet-blobs"), to: "blobs")
    try line.folder.copy(Fixtures.sample("lenet-blobs"), to: "changed")
    var bytes = try line.folder.bytes("changed/conv1_W.bin")
    bytes[4 * 80] ^= 1
    try line.folder.write(bytes, to: "changed/conv1_W.bin")
    let rounded = try line.netconv("relate", "blobs", "changed")
    expectSuccess(rounded)
    #expect(
      rounded.output.contains(
        "conv1_W.bin (8, 1, 5, 3) = conv1_W.bin (8, 1, 5, 3), as it is, equal up to rounding\n"))
    #expect(rounded.output.hasSuffix("\ncomplete: 7 related, 1 related up to rounding\n"))
    bytes[4 * 80 + 2] ^= 1
    try line.folder.write(bytes, to: "changed/conv1_W.bin")
    let result = try line.netconv("relate", "blobs", "changed")
    #expect(result.status == 1)
    #expect(result.errors == "")
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines[3].hasPrefix(
        "conv1_W.bin (8, 1, 5, 3) is nearly equal to: 1 of 120 values differs, at (5, 0, 1, 2): "
      ))
    #expect(lines[4] == "  conv1_W.bin (8, 1, 5, 3), as it is")
    #expect(lines.count { $0.hasSuffix(", as it is") } == 8)
    #expect(
      lines.suffix(4)[lines.count - 4] == "by B's own layouts: 7 of 7 tensors have the right layout"
    )
    #expect(lines.suffix(2) == ["incomplete: 7 related, 1 with a few different values", ""])
  }

  @Test("what is not said by names is: channels in another order, pruned ones, constant biases")
  func blobs() throws {
    let cases: [(String, ([UInt8]) -> [UInt8], String)] = [
      (
        "conv1_W.bin", { Array($0[60..<120] + $0[..<60] + $0[120...]) },
        "= conv1_W.bin (8, 1, 5, 3), p in the order 1, 0, 2, 3, 4, 5, 6, 7"
      ),
      (
        "conv1_W.bin", { $0[..<60] + [UInt8](repeating: 0, count: 60) + $0[120...] },
        "  axis 0 at 1: zeros"
      ),
    ]
    for (name, change, words) in cases {
      let line = try CommandLine()
      for folder in ["a", "b"] { try line.folder.copy(Fixtures.sample("lenet-blobs"), to: folder) }
      try line.folder.write(change(try line.folder.bytes("a/" + name)), to: "b/" + name)
      let result = try line.netconv("relate", "a", "b")
      expectSuccess(result)
      #expect(result.output.contains(words), "\(result.output)")
    }
    let line = try CommandLine()
    for folder in ["a", "b"] {
      try line.folder.copy(Fixtures.sample("lenet-blobs"), to: folder)
      try line.folder.write([UInt8](repeating: 0, count: 32), to: "\(folder)/conv1_b.bin")
    }
    let result = try line.netconv("relate", "a", "b")
    expectSuccess(result)
    #expect(
      result.output.contains(
        "conv1_b.bin (8) is undetermined: all values are the same, as in\n  conv1_b.bin (8), in any order\n"
      ))
  }

  @Test("bytes that are not what a manifest says are damaged, which is no relation")
  func damaged() throws {
    let line = try converted()
    var bytes = try line.folder.bytes("out/weights/conv1_W.bin")
    bytes[3] ^= 1
    try line.folder.write(bytes, to: "out/weights/conv1_W.bin")
    let result = try line.netconv("relate", "ckpt.h5", "out")
    #expect(result.status == 65)
    #expect(result.errors.contains("conv1_W.bin"))
  }

  @Test("rounded values are related, and said to be rounded")
  func rounded() throws {
    let line = try converted("--dtype", "float16", "--target", "mps")
    let result = try line.netconv("relate", "ckpt.h5", "out")
    expectSuccess(result)
    #expect(result.output.contains("o h w i, rounded to float16"))
    let json = try line.netconv("relate", "ckpt.h5", "out", "--json")
    expectSuccess(json)
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(report["complete"] as? Bool == true)
    let tensors = try #require(report["tensors"] as? [[String: Any]])
    #expect(tensors.count == 8)
    #expect(result.output.hasSuffix("\ncomplete: 4 related, 4 related up to rounding\n"))
    for tensor in tensors {
      let parts = try #require(tensor["parts"] as? [[String: Any]])
      let isKernel =
        (try #require(tensor["tensor"] as? [String: Any]))["dtype"] as? String == "float16"
      #expect(parts.map { $0["exact"] as? Bool } == [!isKernel])
      #expect(parts.map { $0["change"] as? String } == [isKernel ? "rounded to float16" : nil])
    }
  }

  @Test("other weights have no relatives")
  func others() throws {
    let line = try converted()
    let result = try line.netconv("relate", Fixtures.sample("pytorch-lenet/lenet.pt"), "out")
    #expect(result.status == 1)
    #expect(result.errors == "")
    #expect(result.output.hasSuffix("\n\nincomplete: 8 only in B, 8 only in A\n"))
    #expect(
      result.output.contains(
        "only in B: weights/fc2_b.bin (10); most similar to classifier.2.bias (10) of A, at a distance of "
      ))
  }
}
