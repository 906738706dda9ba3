import Diagnosis
import Execution
import ModelIR
import Operators
import Testing

/// Findings for attention that was converted wrongly, each with goldens alone.
@Suite("Mistakes of attention")
struct AttentionMistakeTests {
  private static let names = ["q", "k", "v", "m"]

  private static func inputs(_ mask: AttentionMask?) -> [String: NDArray<Float>] {
    func numbers(_ shape: [Int], seed: UInt64) -> NDArray<Float> {
      NDArray(
        shape: shape,
        values: SequenceMistakeTests.numbers(shape.reduce(1, *), seed: seed).map { 2 * $0 })
    }
    var inputs = [
      "q": numbers([2, 6, 8], seed: 1), "k": numbers([2, 6, 8], seed: 2),
      "v": numbers([2, 6, 8], seed: 3),
    ]
    switch mask {
    case .keys, .queries, .results:
      inputs["m"] = NDArray(shape: [2, 6], values: [1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 0])
    case .pairs, .bias: inputs["m"] = numbers([2, 6, 6], seed: 4).map { $0 > 0 ? 1 : 0 }
    case nil: break
    }
    return inputs
  }

  private static func model(
    _ attention: Attention, _ order: [String], _ mask: AttentionMask?
  ) throws -> Model {
    try Model(
      name: "m",
      inputs: inputs(mask).keys.sorted().map {
        ModelInput(name: $0, shape: Shape($0 != "m" ? [6, 8] : mask == .pairs ? [6, 6] : [6]))
      },
      layers: [
        LayerDefinition(
          name: "layer", operation: attention, inputs: order + (mask == nil ? [] : ["m"]))
      ], outputs: ["layer"])
  }

  /// The finding for attention that computes something else than `right`, whose outputs alone are known.
  private func finding(
    _ wrong: Attention, _ order: [String] = ["q", "k", "v"], for right: Attention,
    mask: AttentionMask? = nil, invertsMask: Bool = false
  ) throws -> String? {
    let inputs = Self.inputs(mask)
    var expected = try ExpectedActivations(
      of: Self.model(right, ["q", "k", "v"], mask), on: inputs, engine: .reference,
      checkCancellation: {})
    expected.model = nil
    var given = inputs
    if invertsMask { given["m"] = inputs["m"]?.map { 1 - $0 } }
    let row = try #require(
      ModelComparison(of: Self.model(wrong, order, mask), on: given, with: expected).firstFailure)
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

  @Test func `another number of heads, and an inverted mask`() throws {
    #expect(
      try finding(Attention(heads: 2, scale: 0.5), for: Attention(heads: 4, scale: 0.5))
        == "heads is 2, expected 4")
    for mask in [AttentionMask.keys, .pairs] {
      let attention = Attention(heads: 2, masks: [mask])
      let found = try finding(attention, for: attention, mask: mask, invertsMask: true)
      #expect(found == "the mask of \(mask.rawValue) is inverted")
    }
  }
}
