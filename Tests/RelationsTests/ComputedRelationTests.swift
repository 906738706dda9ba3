import Foundation
import ModelIR
import Relations
import Testing

/// Tensors whose values were computed from those of others.
@Suite struct ComputedRelationTests {
  private func part(_ a: [TestArray], _ b: TestArray) throws -> RelatedPart? {
    guard case .related(let parts) = try relations(a, [b]).tensors[0].outcome else { return nil }
    return parts.count == 1 ? parts[0] : nil
  }

  @Test func `negated exponentials, as decay rates of state-space models are stored`() throws {
    let logarithms = TestArray([6, 8], seed: 3).mapped { 20 * $0 }
    let rates = logarithms.mapped { Float(-exp(Double($0))) }
    let a = [TestArray([6, 8], seed: 4), logarithms]
    #expect(try part(a, rates)?.source == 1)
    #expect(try part(a, rates)?.likeness == .negatedExponential)
    #expect(try part(a, rates.transposed([1, 0]))?.rearrangement?.pattern == "p q -> q p")
    let parts = [try #require(try part(a, rates))]
    try checkMade(parts, of: a, as: rates, "rates")
    // A positive exponential, and one of other values, are none.
    #expect(try part(a, rates.mapped { -$0 })?.likeness != .negatedExponential)
    var other = rates
    other.values[17] *= 1.001
    #expect(try part(a, other)?.likeness != .negatedExponential)
  }

  /// The direction of each row, with a length: weight normalisation carried out.
  private func normalized(_ v: TestArray, _ g: TestArray) -> TestArray {
    let size = v.values.count / v.shape[0]
    var result = v
    for row in 0..<v.shape[0] {
      let values = v.values[row * size..<(row + 1) * size]
      let length = values.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
      for (index, value) in values.enumerated() {
        result.values[row * size + index] = Float(Double(value) / length * Double(g.values[row]))
      }
    }
    return result
  }

  @Test func `weight normalisation carried out`() throws {
    let direction = TestArray([6, 4, 5], seed: 5)
    let lengths = TestArray([6, 1, 1], seed: 6)
    let others = TestArray([6, 1, 1], seed: 7)
    let made = normalized(direction, lengths)
    let found = try part([others, direction, lengths], made)
    #expect(found?.source == 1)
    guard case .scaled(let factors)? = found?.likeness else {
      Issue.record("no factors")
      return
    }
    #expect(factors.lengths == 2)
    #expect(factors.axis == 0)
    #expect(found?.likeness.changesValues == false)
    // Without the vector, the factors come from nowhere.
    let alone = try part([others, direction], made)?.likeness
    #expect(alone?.changesValues == true)
    // A vector of which one value is wrong is not it.
    var wrong = lengths
    wrong.values[3] *= 1.01
    #expect(try part([direction, wrong], made)?.likeness.changesValues == true)
  }
}
