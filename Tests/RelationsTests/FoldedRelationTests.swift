import ModelIR
import Relations
import Testing

/// Tensors that were multiplied, and normalisations that were folded into them.
@Suite struct FoldedRelationTests {
  @Test func `factors for all values, and for each place of an axis`() throws {
    let a = [TestArray([3, 4, 5], seed: 9), TestArray([3, 4, 5])]
    for order in permutations(3) {
      let moved = a[1].transposed(order)
      for axis in [nil, 0, 1, 2] {
        let factors: [Float] = [1.5, 1.75, 1, 2.25, 2.5]
        let strides = [moved.shape[1] * moved.shape[2], moved.shape[2], 1]
        let b = TestArray(
          moved.shape,
          moved.values.enumerated().map { place, value in
            value * (axis.map { factors[place / strides[$0] % moved.shape[$0]] } ?? 2.7)
          })
        let found = try relations(a, [b]).tensors[0].outcome
        guard case .related(let parts) = found, case .scaled(let scale) = parts[0].likeness else {
          Issue.record("\(order) \(String(describing: axis)): \(found)")
          continue
        }
        #expect(parts.map(\.source) == [1])
        #expect(scale.axis == axis)
        #expect(!scale.isRounding)
        #expect(!parts[0].isExact)
        let expected = axis.map { Array(factors.prefix(moved.shape[$0])) } ?? [2.7]
        for (factor, wanted) in zip(scale.values, expected) {
          #expect(abs(factor - Double(wanted)) < 1e-6)
        }
        // One value more, and it is nobody's multiple.
        var other = b
        other.values[7] *= 1.001
        if case .related = try relations(a, [other]).tensors[0].outcome {
          Issue.record("one value of \(order) \(String(describing: axis)) was changed")
        }
      }
    }
  }

  @Test func `a normalisation that was folded`() throws {
    let kernel = TestArray([3, 3, 4, 6])
    let vector = { (seed: UInt64) in TestArray([6], seed: seed) }
    let (gamma, beta, mean, bias) = (vector(2).mapped { $0 + 1 }, vector(3), vector(4), vector(5))
    let variance = vector(6).mapped { $0 * $0 + 0.1 }
    let factors = zip(gamma.values, variance.values).map { $0 / ($1 + 1e-3).squareRoot() }
    let moved = kernel.transposed([3, 0, 1, 2])
    let folded = TestArray(
      moved.shape, moved.values.enumerated().map { $1 * factors[$0 / 36] })
    let zeros = vector(7).mapped { _ in 0 }
    // Vectors that change nothing, or hardly anything, and so fit as a bias nearly as well as none does.
    let tiny = vector(8).mapped { $0 * 1e-6 }
    for (own, others, expectedBias) in [
      (bias.values, [kernel, gamma, beta, mean, variance, bias], 5),
      (zeros.values, [kernel, gamma, beta, mean, variance], nil),
      (zeros.values, [kernel, gamma, beta, mean, variance, zeros, tiny], nil),
      (bias.values, [kernel, gamma, beta, mean, variance, bias, zeros], 5),
    ] as [([Float], [TestArray], Int?)] {
      let b = TestArray(
        [6],
        (0..<6).map { beta.values[$0] + (own[$0] - mean.values[$0]) * factors[$0] })
      let found = try relations(others, [folded, b])
      guard case .related(let parts) = found.tensors[0].outcome,
        case .scaled(let scale) = parts[0].likeness,
        case .related(let ofBias) = found.tensors[1].outcome
      else {
        Issue.record("\(found.tensors.map(\.outcome))")
        continue
      }
      #expect(scale.axis == 0)
      #expect(scale.normalization?.gamma == 1)
      #expect(scale.normalization?.variance == 4)
      #expect(scale.normalization?.epsilon == 1e-3)
      #expect(
        ofBias[0].likeness
          == .folded(
            RelatedPart.FoldedBias(
              beta: 2, mean: 3, bias: expectedBias, normalization: scale.normalization)))
      // Zeros leave no trace; other vectors are left over.
      #expect(found.unused.map(\.tensor) == (others.count == 7 ? [6] : []))
      try checkMade(parts, of: others, as: folded, "kernel")
      try checkMade(ofBias, of: others, as: b, "bias")
    }
  }

  @Test func `of a folded normalisation with two equal vectors, both are named`() throws {
    let kernel = TestArray([6, 4, 3, 3])
    let vector = { (seed: UInt64) in TestArray([6], seed: seed) }
    let (gamma, beta, mean) = (vector(2).mapped { $0 + 1 }, vector(3), vector(4))
    let variance = vector(6).mapped { $0 * $0 + 0.1 }
    let factors = zip(gamma.values, variance.values).map { $0 / ($1 + 1e-5).squareRoot() }
    let folded = TestArray(
      kernel.shape, kernel.values.enumerated().map { $1 * factors[$0 / 36] })
    let bias = TestArray([6], (0..<6).map { beta.values[$0] - mean.values[$0] * factors[$0] })
    let a = [kernel, gamma, beta, mean, variance]
    for (copied, kernelFits, biasFits) in [(1, 2, 1), (2, 1, 2), (3, 1, 2), (4, 2, 1)] {
      let found = try relations(a + [a[copied]], [folded, bias])
      let counts = found.tensors.map { relation in
        switch relation.outcome {
        case .related(let parts), .undetermined(.tied, let parts): parts.count
        default: 0
        }
      }
      #expect(counts == [kernelFits, biasFits], "a copy of \(copied)")
      #expect(found.unused.isEmpty, "a copy of \(copied)")
    }
  }

  @Test func `a folded kernel with a channel of zeros, and one of the smallest numbers`() throws {
    let kernel = TestArray([6, 4, 3, 3])
    let dead = TestArray(
      kernel.shape,
      kernel.values.enumerated().map { place, value in
        place / 36 == 2 ? 0 : place / 36 == 4 ? value * 0x1p-126 : value
      })
    let vector = { (seed: UInt64) in TestArray([6], seed: seed) }
    let (gamma, beta, mean) = (vector(2).mapped { $0 + 1 }, vector(3), vector(4))
    let variance = vector(6).mapped { $0 * $0 + 0.1 }
    let factors = zip(gamma.values, variance.values).map { $0 / ($1 + 1.001e-5).squareRoot() }
    let folded = TestArray(dead.shape, dead.values.enumerated().map { $1 * factors[$0 / 36] })
    let bias = TestArray([6], (0..<6).map { beta.values[$0] - mean.values[$0] * factors[$0] })
    let a = [dead, gamma, beta, mean, variance]
    let found = try relations(a, [folded, bias])
    guard case .related(let parts) = found.tensors[0].outcome,
      case .scaled(let scale) = parts[0].likeness,
      case .related(let ofBias) = found.tensors[1].outcome
    else {
      Issue.record("\(found.tensors.map(\.outcome))")
      return
    }
    #expect(scale.normalization?.gamma == 1)
    #expect(scale.normalization?.variance == 4)
    #expect(abs((scale.normalization?.epsilon ?? 0) - 1.001e-5) < 1e-8)
    #expect(ofBias[0].source == 2)
    try checkMade(parts, of: a, as: folded, "kernel")
    try checkMade(ofBias, of: a, as: bias, "bias")
  }
}
