import ModelIR

/// What became of values that were computed with: sums of biases, factors, folded normalisations.
struct InexactSearch {
  private let a: [RelatedTensor]
  private let b: [RelatedTensor]
  /// The values of short tensors of `a`, of one axis.
  private let vectors: [(tensor: Int, values: [Double])]

  /// Longer vectors are no biases.
  private static let longestVector = 1 << 16
  /// Of more vectors of a length not all pairs are tried.
  private static let mostVectors = 256
  /// Of more tensors of a size not all are tried.
  private static let mostCandidates = 64

  init(_ a: [RelatedTensor], _ b: [RelatedTensor], lengths: Set<Int>) throws(NetconvError) {
    self.a = a
    self.b = b
    var vectors: [(tensor: Int, values: [Double])] = []
    for (index, tensor) in a.enumerated()
    where tensor.isVector && tensor.count <= Self.longestVector && lengths.contains(tensor.count) {
      let values: [Float] = try tensor.source.values(0..<tensor.count)
      vectors.append((index, values.map(Double.init)))
    }
    self.vectors = vectors
  }

  private func vectors(of count: Int) -> ArraySlice<(tensor: Int, values: [Double])> {
    vectors.filter { $0.values.count == count }.prefix(Self.mostVectors)
  }

  // MARK: - Sums

  /// Two tensors of which a vector is the sum in float32, as of the two biases of a recurrent layer; `nil` unless there
  /// is one pair.
  func sum(_ tensor: RelatedTensor) throws(NetconvError) -> RelatedPart? {
    guard tensor.isVector, tensor.count > 1, tensor.count <= Self.longestVector else { return nil }
    let values: [Float] = try tensor.source.values(0..<tensor.count)
    let candidates = vectors(of: tensor.count)
    var found: [(Int, Int)] = []
    for (place, first) in candidates.enumerated() {
      for second in candidates.dropFirst(place + 1)
      where values.indices.allSatisfy({
        (Float(first.values[$0]) + Float(second.values[$0])).bitPattern == values[$0].bitPattern
      }) {
        found.append((first.tensor, second.tensor))
      }
    }
    guard found.count == 1 else { return nil }
    return RelatedPart(source: found[0].0, addend: found[0].1)
  }

  // MARK: - Factors

  /// What a tensor is a multiple of; `nil` unless it is one thing.
  func scaled(_ place: Int, among candidates: [Int]) throws(NetconvError) -> RelatedPart? {
    let tensor = b[place]
    var parts: [RelatedPart] = []
    for candidate in candidates.filter({ a[$0].count == tensor.count }).prefix(Self.mostCandidates)
    {
      guard let found = try ScaleSearch(a[candidate], tensor).find() else { continue }
      guard !found.isNegated else {
        parts.append(
          RelatedPart(
            source: candidate, rearrangement: found.rearrangement, likeness: .negated))
        continue
      }
      let normalization = found.axis == nil ? nil : normalization(of: found.factors)
      parts.append(
        RelatedPart(
          source: candidate, rearrangement: found.rearrangement,
          likeness: .scaled(
            RelatedPart.Factors(
              axis: found.axis, values: found.factors, normalization: normalization))))
    }
    return parts.count == 1 ? parts[0] : nil
  }

  /// The gamma and the variance whose normalisation has these factors, `gamma / sqrt(variance + epsilon)`; `nil` unless
  /// there is one pair.
  private func normalization(of factors: [Double]) -> RelatedPart.FoldedNormalization? {
    let candidates = vectors(of: factors.count)
    var found: [RelatedPart.FoldedNormalization] = []
    for variance in candidates where variance.values.allSatisfy({ $0 >= 0 }) {
      for gamma in candidates where gamma.tensor != variance.tensor {
        guard let epsilon = epsilon(factors, gamma.values, variance.values) else { continue }
        found.append(
          RelatedPart.FoldedNormalization(
            gamma: gamma.tensor, variance: variance.tensor, epsilon: epsilon))
      }
    }
    return found.count == 1 ? found[0] : nil
  }

  /// The epsilon, if one fits all places.
  private func epsilon(_ factors: [Double], _ gamma: [Double], _ variance: [Double]) -> Double? {
    // Where the variance is smallest, epsilon counts most.
    guard
      let place = factors.indices.filter({ factors[$0] != 0 }).min(by: {
        variance[$0] < variance[$1]
      })
    else { return nil }
    let ratio = gamma[place] / factors[place]
    let exact = ratio * ratio - variance[place]
    let tolerance = 1e-4
    for epsilon in [1e-3, 1e-5, 1e-6, 1e-12, 0, exact] where epsilon >= 0 && epsilon <= 0.1 {
      let fits = factors.indices.allSatisfy { index in
        let expected = gamma[index] / (variance[index] + epsilon).squareRoot()
        return abs(factors[index] - expected) <= tolerance * abs(expected)
      }
      if fits { return epsilon }
    }
    return nil
  }

  // MARK: - Folded biases

  /// The beta and mean, and the bias if there was one, that a vector became when a normalisation with these factors was
  /// folded: `beta + (bias - mean) * factor`; `nil` unless it is one choice.
  func foldedBias(
    _ tensor: RelatedTensor, _ scale: RelatedPart.Factors
  ) throws(NetconvError) -> RelatedPart? {
    let factors = scale.values
    guard scale.axis != nil, tensor.isVector, tensor.count == factors.count else { return nil }
    let stored: [Float] = try tensor.source.values(0..<tensor.count)
    let values = stored.map(Double.init)
    let tolerance = 64 * ScaleSearch.tolerance(of: tensor.source.elementType)
    let candidates = vectors(of: tensor.count)
    let none = [Double](repeating: 0, count: tensor.count)
    var found: [RelatedPart.FoldedBias] = []
    let biases: [(tensor: Int?, values: [Double])] =
      [(nil, none)] + candidates.map { ($0.tensor, $0.values) }
    for beta in candidates {
      for mean in candidates where mean.tensor != beta.tensor {
        for bias in biases where bias.tensor != beta.tensor && bias.tensor != mean.tensor {
          let fits = values.indices.allSatisfy { index in
            let change = (bias.values[index] - mean.values[index]) * factors[index]
            let size = abs(beta.values[index]) + abs(change) + abs(values[index])
            return abs(values[index] - beta.values[index] - change) <= tolerance * size
          }
          if fits {
            found.append(
              RelatedPart.FoldedBias(beta: beta.tensor, mean: mean.tensor, bias: bias.tensor))
          }
        }
      }
    }
    guard found.count == 1, let only = found.first else { return nil }
    return RelatedPart(source: only.beta, likeness: .folded(only))
  }
}

extension RelatedTensor {
  /// Whether it has one axis of more than one place.
  var isVector: Bool { shape.count { $0 > 1 } == 1 }
}
