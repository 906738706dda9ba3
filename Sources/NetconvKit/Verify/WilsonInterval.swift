/// The interval that a proportion lies in with 95 % confidence.
///
/// Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
package struct WilsonInterval: Sendable, Equatable {
  /// The lower end.
  package let lower: Double
  /// The upper end.
  package let upper: Double

  /// The interval after `successes` of `count` trials; `count` is at least 1.
  package init(successes: Int, of count: Int) {
    // The 97.5th percentile of the normal distribution.
    let z = 1.959963984540054
    let n = Double(count)
    let p = Double(successes) / n
    let center = (p + z * z / (2 * n)) / (1 + z * z / n)
    let half = z / (1 + z * z / n) * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
    lower = max(0, center - half)
    upper = min(1, center + half)
  }
}
