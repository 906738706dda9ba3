import Foundation
import TestSupport
import Testing

/// `relate --rules`, whose files `convert --rules` applies; the oracle is B, which numpy or these tests have written.
@Suite("rules that relate writes")
struct RelateRulesTests {
  private static let source = Fixtures.path("siblings/source.safetensors")

  /// Writes tensors of float32, by name, shape and values.
  private func write(
    _ tensors: [(name: String, shape: [Int], values: [Float])], to name: String,
    in line: CommandLine
  ) throws {
    var header: [String: Any] = [:]
    var values: [Float] = []
    for tensor in tensors {
      let start = 4 * values.count
      values += tensor.values
      header[tensor.name] = [
        "dtype": "F32", "shape": tensor.shape, "data_offsets": [start, 4 * values.count],
      ]
    }
    let text = [UInt8](try JSONSerialization.data(withJSONObject: header))
    let length = withUnsafeBytes(of: UInt64(text.count).littleEndian) { Array($0) }
    try line.folder.write(length + text + littleEndian(values), to: name)
  }

  /// Different values for each seed, without a pattern.
  private func noise(_ count: Int, _ seed: UInt64) -> [Float] {
    var numbers = SplitMix64(seed: seed)
    return (0..<count).map { _ in Float(Int32(truncatingIfNeeded: numbers.next()) >> 8) }
  }

  private func applied(_ line: CommandLine, to source: String, equals b: String) throws {
    expectSuccess(
      try line.netconv(
        "convert", source, "again.safetensors", "--weights-only", "--rules", "r.json", "-q"))
    let same = try line.netconv("diff", b, "again.safetensors")
    #expect(same.status == 0, "\(same.output)\(same.errors)")
  }

  @Test(
    "make B of A, exceptions among siblings included",
    arguments: [
      ("port", 6), ("each-fourth", 8), ("first-three", 9), ("rotary", 7), ("rotary-first", 7),
      ("gate", 13), ("experts", 29), ("layers", 64),
    ])
  func siblings(name: String, count: Int) throws {
    let line = try CommandLine()
    let b = Fixtures.path("siblings/\(name).safetensors")
    let found = try line.netconv("relate", Self.source, b, "--rules", "r.json")
    #expect(found.output.contains("wrote r.json: \(count) rules for 64 tensors"), "\(found.output)")
    // Layers that are unlike their siblings are differences, which rules can make all the same.
    #expect(found.status == (["port", "each-fourth", "first-three"].contains(name) ? 0 : 1))
    try applied(line, to: Self.source, equals: b)
  }

  @Test("name the tensors that rules cannot make, and leave their sources out")
  func unsaid() throws {
    let line = try CommandLine()
    let b = Fixtures.path("siblings/heads.safetensors")
    let found = try line.netconv("relate", Self.source, b, "--rules", "r.json")
    #expect(found.status == 1)
    #expect(found.output.contains("not said by rules: 1 tensor\n  blocks.5.wv: axes are reversed"))
    #expect(found.output.contains("left out of A: model.layers.5.self_attn.v_proj.weight"))
    expectSuccess(
      try line.netconv(
        "convert", Self.source, "again.safetensors", "--weights-only", "--rules", "r.json", "-q"))
    let rest = try line.netconv("diff", b, "again.safetensors")
    #expect(rest.status == 1)
    #expect(rest.output.contains("different: 63 equal, 1 only in A"))
  }

  @Test("exchange tensors whose names are exchanged, and change others of the same name")
  func exchanged() throws {
    let line = try CommandLine()
    let (gate, up, down) = (noise(12, 1), noise(12, 2), noise(12, 3))
    try write(
      [("m.0.gate", [3, 4], gate), ("m.0.up", [3, 4], up), ("m.1.up", [3, 4], down)],
      to: "a.safetensors", in: line)
    let transposed = (0..<12).map { down[$0 % 3 * 4 + $0 / 3] }
    try write(
      [("m.0.gate", [3, 4], up), ("m.0.up", [3, 4], gate), ("m.1.up", [4, 3], transposed)],
      to: "b.safetensors", in: line)
    let found = try line.netconv("relate", "a.safetensors", "b.safetensors", "--rules", "r.json")
    #expect(found.status == 1)
    #expect(found.output.contains("rules for 3 tensors"))
    try applied(line, to: "a.safetensors", equals: "b.safetensors")
  }

  @Test("split and join again, with the keys of the configuration, and never take a tensor twice")
  func pieces() throws {
    let line = try CommandLine()
    let (q, k, v, extra) = (noise(40, 1), noise(20, 2), noise(30, 3), noise(15, 6))
    // Small enough that 1 is added without a rounding.
    let (embedding, norm) = (noise(35, 4), noise(5, 5).map { $0 / 0x1p20 })
    try write(
      [
        ("qkv", [18, 5], q + k + v), ("embed", [7, 5], embedding), ("norm", [5], norm),
        ("old", [3], [1, 2, 4]), ("extra", [3, 5], extra),
      ], to: "a.safetensors", in: line)
    try write(
      [
        ("q", [8, 5], q), ("xk", [7, 5], extra + k), ("v", [6, 5], v),
        ("embed", [7, 5], embedding),
        ("head", [7, 5], embedding), ("norm", [5], norm.map { $0 + 1 }),
      ], to: "b.safetensors", in: line)
    try line.folder.write(
      #"{"hidden_size": 8, "num_experts": 4, "num_heads": 4, "eos_token_id": 8}"#,
      to: "config.json")
    let found = try line.netconv("relate", "a.safetensors", "b.safetensors", "--rules", "r.json")
    #expect(found.status == 1)
    #expect(
      found.output.contains(
        "  head: it needs 'embed', which another tensor takes; a rule takes a tensor once"))
    #expect(found.output.contains("left out of A: old"))
    #expect(
      found.output.contains("4 stays a number: it is num_experts and num_heads of config.json"))
    let rules = String(decoding: try line.folder.bytes("r.json"), as: UTF8.self)
    #expect(rules.contains(#""hidden_size""#) && rules.contains(#""add": 1"#))
    expectSuccess(
      try line.netconv(
        "convert", "a.safetensors", "again.npz", "--weights-only", "--rules", "r.json", "-q"))
    let made = try arrays(line.folder.file("again.npz"))
    #expect(made.keys.sorted() == ["embed", "norm", "q", "v", "xk"])
    #expect(made["q"]?.values == q && made["v"]?.values == v)
    #expect(made["xk"]?.values == extra + k)
    #expect(made["norm"]?.values == norm.map { $0 + 1 })
  }

  @Test("are for weights with names of their own")
  func graphs() throws {
    let line = try CommandLine()
    let path = Fixtures.sample("deep-mnist/deep-mnist.h5")
    let found = try line.netconv("relate", path, path, "--rules", "r.json")
    #expect(found.status == 64 && found.errors.contains("names of their own"))
    #expect(try line.names().isEmpty)
  }
}
