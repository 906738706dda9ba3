import Foundation
import ModelIR
import TestSupport
import Testing

/// Evidence from names and biases in `netconv relate`, for tensors whose values all match.
@Suite("relate: names, biases and guesses")
struct RelateNameTests {
  private static let lstm = Fixtures.path("conventions/lstm.safetensors")

  /// An array of values that no other seed has.
  private func array(_ shape: [Int], _ seed: Int) -> NDArray<Float> {
    let count = shape.reduce(1, *)
    return NDArray(
      shape: shape,
      values: (0..<count).map { Float((($0 + 1) * (7919 + 2 * seed)) % 1009) + Float(seed) / 64 })
  }

  private func transposed(_ array: NDArray<Float>) -> NDArray<Float> {
    let (rows, columns) = (array.shape[0], array.shape[1])
    return NDArray(
      shape: [columns, rows],
      values: (0..<rows * columns).map { array.values[$0 % rows * columns + $0 / rows] })
  }

  private func report(_ line: CommandLine, _ arguments: String...) throws -> (
    status: ExitCode, report: [String: Any]
  ) {
    let result = try line.netconv(["relate"] + arguments + ["--json"])
    return (result.status, try jsonObject(result.output.utf8))
  }

  /// The tensors of B that were not added up.
  private func notSummed(_ report: [String: Any]) throws -> [String] {
    try #require(report["tensors"] as? [[String: Any]]).compactMap { entry in
      guard let mistake = entry["mistake"] as? [String: Any],
        mistake["kind"] as? String == "notSummed"
      else { return nil }
      return (entry["tensor"] as? [String: Any])?["name"] as? String
    }
  }

  // MARK: - Biases

  @Test(
    "two biases of an LSTM are not what a target takes that has one",
    arguments: [
      "mlx": 2, "tensorflow": 2, "tflite": 2, "coreml": 2, "ncnn": 2, "rtneural": 2, "torch": 0,
      "onnx": 0,
    ])
  func twoBiases(target: String, count: Int) throws {
    let line = try CommandLine()
    let (status, report) = try report(line, Self.lstm, Self.lstm, "--target", target)
    #expect(try notSummed(report).count == count, "\(report)")
    #expect(status == (target == "torch" ? 0 : 1))
  }

  @Test("two biases are judged by the target that B was converted for, and the sum is right")
  func oneBias() throws {
    let line = try CommandLine()
    expectSuccess(
      try line.netconv(
        "convert", Self.lstm, "two", "--weights-only", "--target", "coreml", "--convention",
        "torch", "--no-strict", "-q"))
    let both = try line.netconv("relate", Self.lstm, "two", "--convention", "torch")
    #expect(both.status == 1)
    #expect(
      both.output.contains(
        "\n  coreml has only one bias; add the other to it\n"), "\(both.output)")
    // Its names say whose the file is.
    let lstm = [
      ("lstm.weight_ih_l0", array([12, 7], 1)), ("lstm.weight_hh_l0", array([12, 3], 2)),
      ("lstm.bias_ih_l0", array([12], 3)), ("lstm.bias_hh_l0", array([12], 4)),
    ]
    try writeArchive(lstm, to: line.folder.file("a.npz"))
    let unnamed = try report(line, "a.npz", "a.npz", "--target", "mlx")
    #expect(unnamed.status == 1)
    #expect(try notSummed(unnamed.report) == ["lstm.bias_ih_l0", "lstm.bias_hh_l0"])
    let sum = zip(lstm[2].1.values, lstm[3].1.values).map(+)
    try writeArchive(
      [
        ("lstm.Wx", lstm[0].1), ("lstm.Wh", lstm[1].1),
        ("lstm.bias", NDArray(shape: [12], values: sum)),
      ], to: line.folder.file("b.npz"))
    let right = try line.netconv(
      "relate", "a.npz", "b.npz", "--target", "mlx", "--convention", "torch")
    expectSuccess(right)
    #expect(right.output.contains("for mlx: 3 of 3 tensors have the right layout"))
    // MLX's words for the kernels, each at the other.
    try writeArchive(
      [
        ("lstm.Wx", array([12, 3], 2)), ("lstm.Wh", array([12, 3], 5)),
        ("lstm.bias", NDArray(shape: [12], values: sum)),
      ], to: line.folder.file("c.npz"))
    try writeArchive(
      [
        ("lstm.weight_ih_l0", array([12, 3], 5)), ("lstm.weight_hh_l0", array([12, 3], 2)),
        lstm[2], lstm[3],
      ], to: line.folder.file("square.npz"))
    let crossed = try line.netconv(
      "relate", "square.npz", "c.npz", "--target", "mlx", "--convention", "torch")
    #expect(crossed.status == 1)
    #expect(
      crossed.output.contains(
        "\n  'lstm.weight_ih_l0' of A is 'lstm.Wh' in B, and 'lstm.weight_hh_l0' is 'lstm.Wx'\n"),
      "\(crossed.output)")
  }

  // MARK: - Guesses

  @Test("a square matrix is not judged where its like cannot lie as names say")
  func guesses() throws {
    let line = try CommandLine()
    // GPT-2's Conv1D: matrices of IO, with the names of PyTorch's Linear.
    let (fused, square) = (array([4, 12], 1), array([4, 4], 2))
    let biases = [("h.c_attn.bias", array([12], 3)), ("h.c_proj.bias", array([4], 4))]
    try writeArchive(
      [("h.c_attn.weight", fused), ("h.c_proj.weight", square)] + biases,
      to: line.folder.file("a.npz"))
    try writeArchive(
      [("h.c_attn.weight", transposed(fused)), ("h.c_proj.weight", transposed(square))] + biases,
      to: line.folder.file("right.npz"))
    for b in ["a.npz", "right.npz"] {
      for options in [[], ["--convention", "torch"]] {
        let result = try line.netconv(["relate", "a.npz", b, "--target", "torch"] + options)
        #expect(result.status == 1)
        #expect(
          result.output.contains(
            """
            not judged: h.c_attn.weight, h.c_proj.weight
              'h.c_attn.weight' of A would not have the channels of its bias or normalisation by the names
            """), "\(result.output)")
        #expect(result.output.hasSuffix("not judged: 4 related; not judged for torch: 2\n"))
      }
    }
    expectSuccess(
      try line.netconv(
        "relate", "a.npz", "right.npz", "--target", "torch", "--convention", "keras", "-q"))
    let kept = try line.netconv(
      "relate", "a.npz", "a.npz", "--target", "torch", "--convention", "keras")
    #expect(kept.status == 1)
    #expect(kept.output.contains("not as torch expects them: 2"))
  }

  // MARK: - Names

  @Test("tensors with each other's names are named, and a mistake where all names are A's")
  func exchanged() throws {
    let line = try CommandLine()
    let (q, k, v) = (array([4, 4], 1), array([4, 4], 2), array([4, 4], 3))
    try writeArchive(
      [("m.q.weight", q), ("m.k.weight", k), ("m.v.weight", v)], to: line.folder.file("a.npz"))
    try writeArchive(
      [("m.q.weight", k), ("m.k.weight", q), ("m.v.weight", v)], to: line.folder.file("b.npz"))
    try writeArchive(
      [("q.weight", k), ("k.weight", q), ("v.weight", v)], to: line.folder.file("bare.npz"))
    try writeArchive(
      [("m.q.weight", k), ("m.k.weight", q), ("value.weight", v)],
      to: line.folder.file("other.npz"))
    try writeArchive(
      [("m.q.weight", v), ("m.k.weight", q), ("m.v.weight", k)], to: line.folder.file("three.npz"))
    let words = "  'm.q.weight' of A is 'm.k.weight' in B, and 'm.k.weight' is 'm.q.weight'\n"
    let result = try line.netconv("relate", "a.npz", "b.npz", "--html", "page.html")
    #expect(result.status == 1)
    #expect(
      result.output.contains("\n2 tensors of A have each other's names in B:\n" + words),
      "\(result.output)")
    #expect(result.output.contains("\ncomplete: 3 related; with each other's names: 2\n"))
    let page = String(decoding: try line.folder.bytes("page.html"), as: UTF8.self)
    #expect(page.contains("2 tensors of A have each other"))
    #expect(try report(line, "a.npz", "bare.npz").status == 1)
    let three = try report(line, "a.npz", "three.npz")
    let found = try #require(three.report["exchanged"] as? [String: Any])
    #expect(
      found["cycles"] as? [[[String: String]]] == [
        [
          ["a": "m.q.weight", "b": "m.k.weight"], ["a": "m.k.weight", "b": "m.v.weight"],
          ["a": "m.v.weight", "b": "m.q.weight"],
        ]
      ])
    #expect(found["isMistake"] as? Bool == true)
    // A network of its own may have called its layers so.
    let other = try line.netconv("relate", "a.npz", "other.npz")
    expectSuccess(other)
    #expect(other.output.contains("in B, which may be intended:\n" + words), "\(other.output)")
    let asked = try line.netconv(
      "relate", "a.npz", "other.npz", "--target", "torch", "--convention", "torch", "-q")
    #expect(asked.status == 1)
    #expect(try report(line, "a.npz", "a.npz").report["exchanged"] == nil)
  }
}
