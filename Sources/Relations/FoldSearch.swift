import ModelIR

/// The search for the normalisation that was folded into a kernel, given its factors, and for the
/// terms of the folded bias.
struct FoldSearch {
  /// The vectors of one length.
  private let vectors: [(tensor: Int, values: [Double])]
  /// The relative tolerance of a value: a few rounding errors of the stored dtype.
  private let tolerance: Double

  /// Creates a search in `vectors` for an explanation of values stored as `type`.
  init(_ vectors: ArraySlice<(tensor: Int, values: [Double])>, _ type: ElementType) {
    self.vectors = Array(vectors)
    tolerance = ScaleSearch.tolerance(of: type)
  }

  /// An explanation, with the largest relative error of a value.
  private struct Fit<What> {
    let what: What
    let error: Double

    /// True if no other explanation is better by more than rounding.
    func isAsGood(as others: [Fit]) -> Bool {
      others.allSatisfy { error <= 4 * $0.error + 0x1p-24 }
    }
  }

  private static func best<What>(_ found: [Fit<What>]) -> [What] {
    found.filter { $0.isAsGood(as: found) }.map(\.what)
  }

  // MARK: - Kernels

  /// The pairs of a gamma and a variance with these factors, `gamma / sqrt(variance + epsilon)`;
  /// the best fits only.
  ///
  /// - Parameter factors: The factors; NaN where the kernel does not determine one.
  func normalizations(of factors: [Double]) -> [RelatedPart.FoldedNormalization] {
    var found: [Fit<RelatedPart.FoldedNormalization>] = []
    for variance in vectors
    where variance.values.allSatisfy({ $0 >= 0 }) && variance.values.contains(where: { $0 > 0 }) {
      for gamma in vectors where gamma.tensor != variance.tensor {
        guard let best = epsilon(factors, gamma.values, variance.values) else { continue }
        found.append(
          Fit(
            what: RelatedPart.FoldedNormalization(
              gamma: gamma.tensor, variance: variance.tensor, epsilon: best.what),
            error: best.error))
      }
    }
    return Self.best(found)
  }

  /// The epsilon with the best fit; common epsilons of frameworks are preferred.
  private func epsilon(
    _ factors: [Double], _ gamma: [Double], _ variance: [Double]
  ) -> Fit<Double>? {
    // Epsilon has the largest effect where the variance is smallest.
    guard
      let place = factors.indices.filter({ factors[$0] != 0 && !factors[$0].isNaN }).min(by: {
        variance[$0] < variance[$1]
      })
    else { return nil }
    let ratio = gamma[place] / factors[place]
    let exact = ratio * ratio - variance[place]
    let most = 8 * tolerance
    var found: [Fit<Double>] = []
    // TensorFlow's fused normalisation uses at least 1.001e-5.
    for epsilon in [1e-3, 1e-5, 1.001e-5, 1e-6, 1e-12, 0, exact]
    where epsilon >= 0 && epsilon <= 0.1 {
      var error = 0.0
      for index in factors.indices where error <= most && !factors[index].isNaN {
        let expected = gamma[index] / (variance[index] + epsilon).squareRoot()
        let distance = abs(factors[index] - expected)
        error = max(error, distance == 0 ? 0 : distance / abs(expected))
      }
      if error <= most { found.append(Fit(what: epsilon, error: error)) }
    }
    return found.first { $0.isAsGood(as: found) }
  }

  /// The factors of a normalisation.
  func factors(of normalization: RelatedPart.FoldedNormalization) -> [Double] {
    let gamma = vectors.first { $0.tensor == normalization.gamma }?.values ?? []
    let variance = vectors.first { $0.tensor == normalization.variance }?.values ?? []
    return zip(gamma, variance).map { $0 / ($1 + normalization.epsilon).squareRoot() }
  }

  // MARK: - Biases

  /// The terms of a bias into which a normalisation with these factors was folded,
  /// `beta + (bias - mean) * factor`; the best fits only.
  ///
  /// - Precondition: There are as many factors as values.
  func biases(
    _ values: [Double], _ scale: RelatedPart.Factors
  ) -> [RelatedPart.FoldedBias] {
    let factors = scale.values
    guard let pivot = factors.firstIndex(where: { $0 != 0 }) else { return [] }
    let betas = vectors.sorted { $0.values[pivot] < $1.values[pivot] }
    let none = [Double](repeating: 0, count: values.count)
    let fits = { (bias: Int?, ofBias: [Double]) -> [Fit<RelatedPart.FoldedBias>] in
      vectors.flatMap { mean -> [Fit<RelatedPart.FoldedBias>] in
        guard mean.tensor != bias else { return [] }
        let change = (ofBias[pivot] - mean.values[pivot]) * factors[pivot]
        let wanted = values[pivot] - change
        let room = 64 * tolerance * (2 * abs(values[pivot]) + 2 * abs(change))
        return betas.between(wanted - room, wanted + room, at: pivot).compactMap { beta in
          guard beta.tensor != mean.tensor, beta.tensor != bias,
            let error = error(values, factors, beta.values, mean.values, ofBias)
          else { return nil }
          return Fit(
            what: RelatedPart.FoldedBias(
              beta: beta.tensor, mean: mean.tensor, bias: bias,
              normalization: scale.normalization),
            error: error)
        }
      }
    }
    let found = fits(nil, none)
    // A bias smaller than the rounding errors is indistinguishable from none.
    if found.contains(where: { $0.error <= tolerance }) { return Self.best(found) }
    let others = vectors.filter { vector in
      vector.tensor != scale.normalization?.gamma && vector.tensor != scale.normalization?.variance
        && vector.values.contains { $0 != 0 }
    }
    return Self.best(found + others.flatMap { fits($0.tensor, $0.values) })
  }

  /// The largest error relative to the summands; `nil` if rounding does not explain it.
  private func error(
    _ values: [Double], _ factors: [Double], _ beta: [Double], _ mean: [Double], _ bias: [Double]
  ) -> Double? {
    var error = 0.0
    for index in values.indices {
      let change = (bias[index] - mean[index]) * factors[index]
      let distance = abs(values[index] - beta[index] - change)
      let size = abs(beta[index]) + abs(change) + abs(values[index])
      error = max(error, distance == 0 ? 0 : distance / size)
      guard error <= 64 * tolerance else { return nil }
    }
    return error
  }
}

extension [(tensor: Int, values: [Double])] {
  /// The vectors in a range of values at the index by which they are sorted.
  fileprivate func between(_ low: Double, _ high: Double, at place: Int) -> Self.SubSequence {
    var (start, end) = (startIndex, endIndex)
    while start < end {
      let middle = (start + end) / 2
      if self[middle].values[place] < low { start = middle + 1 } else { end = middle }
    }
    return self[start...].prefix { $0.values[place] <= high }
  }
}
