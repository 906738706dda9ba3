import Foundation
import ModelIR
import TestSupport
import Testing

/// Renamed, concatenated and split tensors whose names and values disagree.
@Suite("relate: names that values contradict")
struct RelateOrderTests {
  private let line: CommandLine
  private let (query, key, value, out): ([Float], [Float], [Float], [Float])

  init() throws {
    line = try CommandLine()
    let values = { (seed: Int) in (0..<16).map { Float(($0 + 1) * (7919 + 2 * seed) % 1009) } }
    (query, key, value, out) = (values(1), values(2), values(3), values(4))
  }

  private func matrix(_ values: [Float]) -> NDArray<Float> {
    NDArray(shape: [values.count / 4, 4], values: values)
  }

  /// Writes tensors of rows of four to an archive.
  private func write(_ tensors: [(String, [Float])], to file: String) throws {
    try writeArchive(tensors.map { ($0.0, matrix($0.1)) }, to: line.folder.file(file))
  }

  private func writeSeparate() throws {
    try write(
      [
        ("l.0.q_proj.weight", query), ("l.0.k_proj.weight", key), ("l.0.v_proj.weight", value),
        ("l.0.out_proj.weight", out),
      ], to: "a.npz")
  }

  private func report(_ b: String) throws -> (status: ExitCode, report: [String: Any]) {
    let result = try line.netconv("relate", "a.npz", b, "--json")
    return (result.status, try jsonObject(result.output.utf8))
  }

  @Test("a word of siblings that was exchanged is seen under other names, and others are not")
  func siblings() throws {
    try writeSeparate()
    let names = ["b/query/kernel", "b/key/kernel", "b/value/kernel", "b/dense/kernel"]
    try write(Array(zip(names, [query, key, value, out])), to: "right.npz")
    expectSuccess(try line.netconv("relate", "a.npz", "right.npz", "--quiet"))
    try write(Array(zip(names, [key, query, value, out])), to: "two.npz")
    let two = try line.netconv("relate", "a.npz", "two.npz")
    #expect(two.status == 1)
    #expect(
      two.output.hasSuffix(
        """

        2 tensors of A have each other's names in B:
          'l.0.q_proj.weight' of A is 'b/key/kernel' in B, and 'l.0.k_proj.weight' is 'b/query/kernel'

        complete: 4 related; with each other's names: 2

        """), "\(two.output)")
    try write(Array(zip(names, [key, value, query, out])), to: "three.npz")
    let (status, three) = try report("three.npz")
    #expect(status == 1)
    let exchanged = try #require(three["exchanged"] as? [String: Any])
    #expect(exchanged["isMistake"] as? Bool == true)
    #expect((exchanged["cycles"] as? [[Any]])?.map(\.count) == [3])
    // Networks number their layers as they like, and a word that only one has says nothing.
    let numbered = ["w2.weight", "w1.weight", "w3.weight", "w4.weight"]
    try write(Array(zip(numbered, [query, key, value, out])), to: "numbers.npz")
    expectSuccess(try line.netconv("relate", "a.npz", "numbers.npz", "--quiet"))
  }

  @Test("names of a target that nobody named tell, if all of B are such")
  func targetWords() throws {
    try write([("lstm.weight_ih_l0", query), ("lstm.weight_hh_l0", key)], to: "a.npz")
    try write([("lstm.Wx", query), ("lstm.Wh", key)], to: "right.npz")
    expectSuccess(try line.netconv("relate", "a.npz", "right.npz", "--quiet"))
    try write([("lstm.Wx", key), ("lstm.Wh", query)], to: "wrong.npz")
    #expect(try line.netconv("relate", "a.npz", "wrong.npz", "--quiet").status == 1)
  }

  @Test(
    "parts that were joined in another order than the name says are named",
    arguments: [
      ("b.qkv.weight", true), ("b.Wqkv.weight", true), ("b.query_key_value.weight", true),
      ("b.in_proj_weight", true), ("b.c_attn.weight", true), ("b.kqv.weight", false),
      ("b.fused.weight", false),
    ])
  func joined(name: String, isWrong: Bool) throws {
    try writeSeparate()
    try write([(name, query + key + value), ("b.o.weight", out)], to: "right.npz")
    try write([(name, key + query + value), ("b.o.weight", out)], to: "wrong.npz")
    #expect(
      try line.netconv("relate", "a.npz", "right.npz", "--quiet").status
        == (name.contains("kqv") ? 1 : 0))
    let result = try line.netconv("relate", "a.npz", "wrong.npz", "--html", "p.html")
    #expect(result.status == (isWrong ? 1 : 0), "\(result.output)")
    guard isWrong else { return }
    #expect(
      result.output.contains(
        """

        1 tensor with parts in another order than the name says:
          '\(name)' of B is joined of 'l.0.k_proj.weight', 'l.0.q_proj.weight', 'l.0.v_proj.weight', and its name says \
        'l.0.q_proj.weight', 'l.0.k_proj.weight', 'l.0.v_proj.weight'
        """), "\(result.output)")
    #expect(result.output.contains("; with parts in another order: 1"))
    let page = String(decoding: try line.folder.bytes("p.html"), as: UTF8.self)
    #expect(page.contains("1 tensor has its parts in another order than its name says."))
  }

  @Test("so are heads that were interleaved, other words, and parts that a tensor was cut into")
  func others() throws {
    try writeSeparate()
    let heads = { (parts: [[Float]]) in
      parts.flatMap { $0.prefix(8) } + parts.flatMap { $0.suffix(8) }
    }
    try write(
      [("b.qkv.weight", heads([query, key, value])), ("b.o.weight", out)], to: "right.npz")
    expectSuccess(try line.netconv("relate", "a.npz", "right.npz", "--quiet"))
    try write(
      [("b.qkv.weight", heads([query, value, key])), ("b.o.weight", out)], to: "wrong.npz")
    #expect(try line.netconv("relate", "a.npz", "wrong.npz", "--quiet").status == 1)

    try write([("m.gate_proj.weight", query), ("m.up_proj.weight", key)], to: "a.npz")
    try write([("m.gate_up_proj.weight", query + key)], to: "right.npz")
    expectSuccess(try line.netconv("relate", "a.npz", "right.npz", "--quiet"))
    try write([("m.gate_up_proj.weight", key + query)], to: "wrong.npz")
    #expect(try line.netconv("relate", "a.npz", "wrong.npz", "--quiet").status == 1)

    try write([("b.qkv.weight", query + key + value)], to: "a.npz")
    try write([("q.weight", query), ("k.weight", key), ("v.weight", value)], to: "right.npz")
    expectSuccess(try line.netconv("relate", "a.npz", "right.npz", "--quiet"))
    try write([("q.weight", query), ("k.weight", value), ("v.weight", key)], to: "cut.npz")
    let (status, cut) = try report("cut.npz")
    #expect(status == 1)
    let found = try #require((cut["misordered"] as? [[String: Any]])?.first)
    #expect(found["name"] as? String == "b.qkv.weight")
    #expect(found["side"] as? String == "a")
    #expect(found["parts"] as? [String] == ["q.weight", "v.weight", "k.weight"])
    #expect(found["named"] as? [String] == ["q.weight", "k.weight", "v.weight"])
  }
}
