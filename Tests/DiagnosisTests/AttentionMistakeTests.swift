import Diagnosis
import Execution
import ModelIR
import Operators
import Testing

/// Findings for attention that was converted wrongly, each with goldens alone.
@Suite("Mistakes of attention")
struct AttentionMistakeTests {
  private static let inputs: [String: NDArray<Float>] = {
    func numbers(_ seed: UInt64) -> NDArray<Float> {
      NDArray(
        shape: [2, 6, 8],
        values: SequenceMistakeTests.numbers(96, seed: seed).map { 2 * $0 })
    }
    return ["q": numbers(1), "k": numbers(2), "v": numbers(3)]
  }()

  private static func model(_ attention: Attention, _ order: [String]) throws -> Model {
    try Model(
      name: "m",
      inputs: inputs.keys.sorted().map { ModelInput(name: $0, shape: Shape([6, 8])) },
      layers: [LayerDefinition(name: "layer", operation: attention, inputs: order)],
      outputs: ["layer"])
  }

  /// The finding for attention that computes something else than `right`, whose outputs alone are known.
  private func finding(
    _ wrong: Attention, _ order: [String] = ["q", "k", "v"], for right: Attention
  ) throws -> String? {
    let inputs = Self.inputs
    var expected = try ExpectedActivations(
      of: Self.model(right, ["q", "k", "v"]), on: inputs, engine: .reference,
      checkCancellation: {})
    expected.model = nil
    let row = try #require(
      ModelComparison(of: Self.model(wrong, order), on: inputs, with: expected).firstFailure)
    return row.explanation?.repair.finding
  }

  @Test func `a scale that is missing, or of another width`() throws {
    #expect(
      try finding(Attention(heads: 2, scale: 1), for: Attention(heads: 2))
        == "scale is 1.0, expected 1 / √4, by the width of a head")
    #expect(
      try finding(Attention(heads: 2), for: Attention(heads: 2, scale: 1))
        == "scale is 0.5, expected 1")
    #expect(
      try finding(
        Attention(heads: 2, scale: 1), for: Attention(heads: 2, scale: 1 / 8.0.squareRoot()))
        == "scale is 1.0, expected 1 / √8, by the width of all heads")
  }

  @Test func `a causal mask that is missing, superfluous or off by one`() throws {
    #expect(
      try finding(Attention(heads: 2), for: Attention(heads: 2, after: 0))
        == "queries attend to later keys, expected causal attention")
    #expect(
      try finding(Attention(heads: 2, after: 0), for: Attention(heads: 2))
        == "attention is causal, expected later keys too")
    #expect(
      try finding(Attention(heads: 2, after: 1), for: Attention(heads: 2, after: 0))
        == "after is 1, expected 0: the mask is off by one")
    #expect(
      try finding(
        Attention(heads: 2, before: 2, after: 0), for: Attention(heads: 2, before: 1, after: 0))
        == "before is 2, expected 1: the window is off by one")
  }

  @Test func `operands in another order`() throws {
    let attention = Attention(heads: 2)
    #expect(
      try finding(attention, ["k", "q", "v"], for: attention) == "queries, keys are exchanged")
    #expect(
      try finding(attention, ["q", "v", "k"], for: attention) == "keys, values are exchanged")
    #expect(
      try finding(attention, ["v", "q", "k"], for: attention)
        == "queries, keys, values are exchanged")
  }

  @Test func `another number of heads`() throws {
    #expect(
      try finding(Attention(heads: 2, scale: 0.5), for: Attention(heads: 4, scale: 0.5))
        == "heads is 2, expected 4")
  }
}
