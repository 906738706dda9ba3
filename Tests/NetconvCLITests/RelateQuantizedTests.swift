import Foundation
import TestSupport
import Testing

/// Matrices and what gguf and mlx quantise them to.
///
/// `make_requantised.py` wrote the fixtures.
@Suite("quantised tensors that relate compares")
struct RelateQuantizedTests {
  private static func fixture(_ name: String) -> String { Fixtures.path("requantised/\(name)") }

  private func relate(_ name: String) throws -> (
    result: NetconvProcess.Result, quantized: [String: Any], tensors: [[String: Any]]
  ) {
    let line = try CommandLine()
    let original = Self.fixture("original.safetensors")
    let result = try line.netconv("relate", original, Self.fixture(name))
    let document = try line.netconv("relate", original, Self.fixture(name), "--json")
    #expect(document.status == result.status)
    let object = try jsonObject(document.output.utf8)
    return (
      result, object["quantized"] as? [String: Any] ?? [:],
      object["tensors"] as? [[String: Any]] ?? []
    )
  }

  @Test(
    "a right port is complete, and what its codes say is counted",
    arguments: [
      ("q8.gguf", "requantized"), ("q4.gguf", "requantized"),
      ("mlx/model.safetensors", "requantized"), ("float8/model.safetensors", "nearest"),
    ])
  func right(name: String, verdict: String) throws {
    let (result, quantized, tensors) = try relate(name)
    expectSuccess(result)
    #expect(quantized[verdict] as? Int == 6)
    #expect((quantized["consistent"] as? [String])?.isEmpty == true)
    #expect(result.output.contains("complete: 6 related up to rounding"))
    let rotary = tensors.first {
      ($0["tensor"] as? [String: Any])?["name"] as? String == "layers.1.q.weight"
    }
    let pattern = ((rotary?["parts"] as? [[String: Any]])?.first?["pattern"]) as? String
    #expect(pattern == (name.hasPrefix("mlx") ? "p q -> p q" : "(p q r) s -> (p r q) s"))
  }

  @Test(
    "weights that differ by 0.0001 of themselves are not called the source",
    arguments: [
      "tuned.gguf", "tuned-mlx/model.safetensors", "tuned-float8/model.safetensors",
    ])
  func tuned(name: String) throws {
    let (result, quantized, _) = try relate(name)
    #expect(result.status == 1)
    #expect(quantized["consistent"] as? [String] == ["layers.1.down.weight"])
    #expect(result.output.contains("layers.1.down.weight"))
    #expect(result.output.contains("other originals close to these are not excluded"))
  }

  @Test("codes that were chosen before their scale was rounded do not tell their originals")
  func roundedScales() throws {
    for name in ["q5.gguf", "tuned-q5.gguf"] {
      let (result, quantized, _) = try relate(name)
      #expect(result.status == 1)
      #expect((quantized["consistent"] as? [String])?.count == 6)
    }
  }

  @Test("a scale that was doubled, another row and rows in another order are found where they are")
  func mistakes() throws {
    let scale = try relate("scale.gguf").result
    #expect(scale.status == 1)
    #expect(scale.output.contains("layers.1.down.weight (64, 96) is nearly equal to: "))
    #expect(scale.output.contains("values differ within axis 0 at 5, axis 1 from 64 to "))
    let row = try relate("row.gguf").result
    #expect(row.status == 1)
    #expect(row.output.contains("values differ within axis 0 at 17"))
    #expect(row.output.contains("layers.1.down.weight (64, 96) is nearly equal to: "))
    let order = try relate("order.gguf").result
    #expect(order.status == 1)
    #expect(order.output.contains("made otherwise than their siblings: 1"))
    #expect(order.output.contains("'layers.1.q.weight': 'layers.1.q.weight', as it is"))
  }

  @Test(
    "a dry run tells the errors of a quantisation", arguments: ["q8_0", "q4_0", "mlx-4bit/32"])
  func dryRun(form: String) throws {
    let line = try CommandLine()
    let result = try line.netconv(
      "convert", Self.fixture("original.safetensors"),
      form.hasPrefix("mlx") ? "o.safetensors" : "o.gguf", "--weights-only", "--quantize", form,
      "--dry-run", "--json")
    #expect(result.status == 0)
    #expect(!result.errors.contains("warning"))
    #expect(try line.names().allSatisfy { !$0.hasPrefix("o.") })
    let preflight = try jsonObject(result.output.utf8)["preflights"] as? [[String: Any]]
    let rows = try #require(preflight?.first?["tensors"] as? [[String: Any]])
    let document = try jsonObject(Data(contentsOf: URL(filePath: Self.fixture("errors.json"))))
    let expected = try #require(document[form] as? [String: [Double]])
    #expect(rows.count == expected.count)
    for row in rows {
      let name = try #require(row["name"] as? String)
      let errors = try #require(expected[name])
      // The program has them as float32.
      #expect(abs(try #require(row["rmsRelativeError"] as? Double) - errors[1]) < 1e-6, "\(name)")
      #expect(
        abs(try #require(row["worstRelativeError"] as? Double) - errors[0]) < 1e-5 * errors[0],
        "\(name)")
      #expect(row["dtype"] as? String == ["q8_0": "Q8_0", "q4_0": "Q4_0"][form] ?? "MLX 4 bits/32")
    }
  }
}
