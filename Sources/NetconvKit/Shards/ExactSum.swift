/// A sum of numbers without rounding, which does not depend on their order or grouping.
///
/// It is stored as numbers that do not overlap, from the smallest to the largest. Terms are not negative, except for
/// those that ``ExactMoments`` splits off. Source: J. R. Shewchuk, "Adaptive precision floating-point arithmetic and
/// fast robust geometric predicates", 1997.
struct ExactSum: Sendable, Equatable {
  /// The parts of the sum; only infinity if a sum exceeded the range of Double.
  private(set) var parts: [Double] = []

  /// Creates a sum of zero.
  init() {}

  /// True if no sum exceeded the range of Double.
  var isFinite: Bool { parts.last?.isFinite ?? true }

  /// Adds a number.
  mutating func add(_ value: Double) {
    guard isFinite else { return }
    var rest = value
    var kept = 0
    for part in parts {
      let (large, small) = rest.magnitude < part.magnitude ? (part, rest) : (rest, part)
      let sum = large + small
      let lost = small - (sum - large)
      if lost != 0 {
        parts[kept] = lost
        kept += 1
      }
      rest = sum
    }
    guard rest.isFinite else {
      parts = [.infinity]
      return
    }
    parts.removeLast(parts.count - kept)
    if rest != 0 { parts.append(rest) }
  }

  /// Adds the parts of another sum.
  mutating func add(_ other: ExactSum) {
    for part in other.parts { add(part) }
  }

  /// Adds the exact product of two numbers.
  mutating func add(_ first: Double, times second: Double) {
    let product = first * second
    add(product)
    // The rounding error of an infinite product is NaN.
    if product.isFinite { add((-product).addingProduct(first, second)) }
  }

  /// The sum, rounded once.
  var value: Double {
    guard var sum = parts.last else { return 0 }
    var index = parts.count - 1
    var lost = 0.0
    while index > 0, lost == 0 {
      index -= 1
      let before = sum
      sum = before + parts[index]
      lost = parts[index] - (sum - before)
    }
    // In a tie between two Doubles, the next lower part decides.
    if index > 0, (lost < 0) == (parts[index - 1] < 0), lost != 0 {
      let twice = lost * 2
      let other = sum + twice
      if twice == other - sum { sum = other }
    }
    return sum
  }
}

extension ExactSum: Codable {
  /// Reads the parts; `null` is infinity, which JSON cannot represent.
  init(from decoder: any Decoder) throws {
    for part in try [Double?](from: decoder) {
      guard let part else {
        parts = [.infinity]
        return
      }
      add(part)
    }
  }

  /// Writes the parts.
  func encode(to encoder: any Encoder) throws { try parts.encode(to: encoder) }
}

/// The mean of numbers and the sum of their squared deviations, each rounded once at the end.
struct ExactMoments: Sendable, Equatable, Codable {
  /// The number of values so far.
  private(set) var count = 0
  private var sum = ExactSum()
  private var squareSum = ExactSum()

  /// Adds a finite value.
  mutating func note(_ value: Double) {
    count += 1
    sum.add(value)
    squareSum.add(value, times: value)
  }

  /// Adds the values of other moments.
  mutating func add(_ other: ExactMoments) {
    count += other.count
    sum.add(other.sum)
    squareSum.add(other.squareSum)
  }

  /// The mean of the values.
  var mean: Double { sum.value / Double(count) }

  /// The sum of squared deviations from the mean: for n numbers, the sum of their squares minus the square of their
  /// sum over n.
  var squares: Double {
    guard sum.isFinite, squareSum.isFinite else { return .infinity }
    var difference = ExactSum()
    for part in squareSum.parts { difference.add(part, times: Double(count)) }
    for first in sum.parts {
      for second in sum.parts { difference.add(-first, times: second) }
    }
    return max(0, difference.value / Double(count))
  }

  /// The standard error of the mean; `nil` for fewer than two values.
  var standardError: Double? {
    count < 2 ? nil : (squares / Double(count - 1) / Double(count)).squareRoot()
  }
}
