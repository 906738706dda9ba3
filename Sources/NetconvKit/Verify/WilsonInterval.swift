/// The 95 % confidence interval of a proportion.
///
/// Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
package struct WilsonInterval: Sendable, Equatable {
  /// The lower bound.
  package let lower: Double
  /// The upper bound.
  package let upper: Double

  /// The 97.5th percentile of the normal distribution.
  static let quantile = 1.959963984540054

  /// Computes the interval for `successes` of `count` trials; `count` is at least 1.
  ///
  /// - Parameter dependent: the number of trials that always come together and may have the same outcome; each such
  ///   group counts as one trial.
  package init(successes: Int, of count: Int, dependent: Int = 1) {
    let z = Self.quantile
    let n = Double(count) / Double(dependent)
    let p = Double(successes) / Double(count)
    let center = (p + z * z / (2 * n)) / (1 + z * z / n)
    let half = z / (1 + z * z / n) * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
    lower = max(0, center - half)
    upper = min(1, center + half)
  }
}
