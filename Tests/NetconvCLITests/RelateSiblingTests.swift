import Datasets
import Foundation
import TestSupport
import Testing

/// Tensors that were made otherwise than their siblings in other layers.
///
/// `make_siblings.py` wrote the fixtures with numpy and einops.
@Suite("siblings that relate compares")
struct RelateSiblingTests {
  private static let source = Fixtures.path("siblings/source.safetensors")

  private func relate(_ name: String) throws -> (
    result: NetconvProcess.Result, odd: [[String: Any]]
  ) {
    let line = try CommandLine()
    let path = Fixtures.path("siblings/\(name).safetensors")
    let document = try line.netconv("relate", Self.source, path, "--json")
    #expect(document.status == (try line.netconv("relate", Self.source, path, "-q")).status)
    let odd = try jsonObject(document.output.utf8)["odd"]
    return (try line.netconv("relate", Self.source, path), odd as? [[String: Any]] ?? [])
  }

  @Test(
    "a port in which all layers are alike, or unlike by a rule, is complete",
    arguments: ["port", "first-three", "each-fourth"])
  func clean(name: String) throws {
    let (result, odd) = try relate(name)
    #expect(result.status == 0)
    #expect(odd.isEmpty)
    #expect(result.output.hasSuffix("complete: 64 related\n"))
  }

  @Test(
    "the layer that is unlike the others is named, with what it is and what its siblings are",
    arguments: [
      ("rotary", ["blocks.5.wk"], "as it is; 7 of 8 siblings: (p q r) s -> (p r q) s, p=2, q=2"),
      ("rotary-first", ["blocks.0.wk"], "as it is; 7 of 8 siblings: (p q r) s -> (p r q) s"),
      ("heads", ["blocks.5.wv"], "reversed along p; 7 of 8 siblings: as it is"),
      (
        "gate", ["blocks.5.wi"],
        "up_proj.weight', as it is + 'model.layers.5.mlp.gate_proj.weight', as it is; 7 of 8"
      ),
      (
        "experts", ["blocks.5.moe.1", "blocks.5.moe.2"],
        "'model.layers.5.experts.2.down.weight', transposed; 22 of 24 siblings: "
          + "'model.layers.5.experts.1.down.weight', by the numbers of their names"
      ),
      (
        "layers",
        [2, 3].flatMap { layer in
          ["ln", "wi", "wk", "wq", "wv", "moe.0", "moe.1", "moe.2"].map { "blocks.\(layer).\($0)" }
        }, "'model.layers.3.norm.weight', as it is; 6 of 8 siblings: 'model.layers.2.norm.weight'"
      ),
    ])
  func unlike(name: String, tensors: [String], words: String) throws {
    let (result, odd) = try relate(name)
    #expect(result.status == 1)
    #expect(Set(odd.compactMap { $0["name"] as? String }) == Set(tensors))
    #expect(odd.count == tensors.count)
    #expect(result.output.contains(words))
    #expect(
      result.output.hasSuffix(
        "complete: 64 related; made otherwise than their siblings: \(tensors.count)\n"))
  }

  // MARK: - Offsets

  @Test("a number that was added to gains is found, and a map adds it again")
  func shifted() throws {
    let line = try CommandLine()
    let (a, b) = (
      Fixtures.path("rules/source.safetensors"), Fixtures.path("rules/made.safetensors")
    )
    let keep = ["--weights-only", "-q", "--drop", "*inv_freq", "--rename", "s/^model//"]
    expectSuccess(try line.netconv(["convert", a, "a.npz"] + keep))
    let result = try line.netconv("relate", "a.npz", b, "--map", "map.json")
    #expect(result.status == 1)
    #expect(
      result.output.contains(
        "norm.weight (12) = .norm.weight (12), as it is, with 1 added\n"))
    #expect(
      result.output.contains("with another sign, factor or offset than in A: layers.0.input_"))
    expectSuccess(try line.netconv("convert", "a.npz", "again.npz", "--map", "map.json", "-q"))
    expectSuccess(try line.netconv("convert", b, "b.npz", "--weights-only", "-q"))
    let (made, wanted) = (
      try arrays(line.folder.file("again.npz")), try arrays(line.folder.file("b.npz"))
    )
    #expect(made["norm.weight"]?.values == wanted["norm.weight"]?.values)
    #expect(made.count == 14)
  }

  @Test("values that hardly differ from one number are no shifted values of others")
  func notShifted() throws {
    let line = try CommandLine()
    let header = { (values: [Float]) in
      npy("<f4", "(\(values.count),)", values.flatMap { $0.bitPattern.littleEndianBytes })
    }
    try line.folder.write(header([1e-9, 3e-9, -2e-9, 5e-9, 4e-9]), to: "a.npy")
    try line.folder.write(header([1, 1.0000001, 1, 1, 1.0000002]), to: "b.npy")
    let result = try line.netconv("relate", "a.npy", "b.npy")
    #expect(result.status == 1)
    #expect(!result.output.contains("added"))
    // Each of five values differs by 1, but one by 1.001.
    try line.folder.write(header([0.5, -0.25, 2, 1.5, -3]), to: "a.npy")
    try line.folder.write(header([1.5, 0.75, 3, 2.501, -2]), to: "b.npy")
    let other = try line.netconv("relate", "a.npy", "b.npy")
    #expect(other.status == 1)
    #expect(!other.output.contains("added"))
  }
}

extension UInt32 {
  fileprivate var littleEndianBytes: [UInt8] {
    withUnsafeBytes(of: littleEndian) { Array($0) }
  }
}
