import ModelIR

/// The relation of quantised values to those that they were made from.
public struct Quantization: Sendable, Hashable {
  /// The verdict of the codes on the original values.
  public enum Verdict: String, Sendable {
    /// The originals, quantised again, give the same scales and codes.
    case requantized
    /// Each code is the nearest to its original on the grid of its group.
    case nearest
    /// Each original is about one step away from the number of its code at most, but some have a nearer one.
    case consistent
  }

  /// The verdict of the codes.
  public let verdict: Verdict
  /// The name of the stored form.
  public let kind: String
  /// The number of values for which another code is nearer.
  public let beyond: Int
  /// The largest distance of an original from the number of its code, in steps of the grid.
  public let worst: Double
  /// The number of values that would get another code if they were changed by ``change`` of themselves.
  public let sensitive: Int

  /// The relative change of weights that codes have to exclude.
  public static let change = 1e-4
  /// The number of sensitive values that makes it unlikely that none of them changes its code.
  private static let enough = 16

  /// True if codes exclude that the originals were changed by ``change`` of themselves.
  public var excludesChange: Bool {
    verdict == .requantized || verdict == .nearest && sensitive >= Self.enough
  }
}

/// The numbers of the codes of a quantised tensor and of those next to them.
struct QuantizedGrid: Sendable {
  let kind: String
  let below: any TensorSource
  let above: any TensorSource

  /// The grid of a stored tensor; `nil` if it is not quantised, or its grid is unknown.
  init?(_ stored: StoredTensor) {
    guard let kind = stored.kind, let source = stored.source as? any GriddedSource,
      let below = source.neighbours(.below), let above = source.neighbours(.above)
    else { return nil }
    (self.kind, self.below, self.above) = (kind.name, below, above)
  }
}

/// The distance of an original value from the number of its code.
struct GridStep {
  /// The distance to the next number in the direction of the original.
  let gap: Double
  let distance: Double
  /// True if there is no number in that direction, so that ``gap`` is the one in the other.
  let isAtEnd: Bool

  /// Smaller differences are those of a scale that is stored as a float16 close to zero.
  private static let least = 0x1p-18
  /// Rounding of the quotient by which a code is found, relative to the values.
  private static let rounding = 0x1p-21
  /// The steps to which an original may be away from the number of its code, of which the scale was rounded; from the last
  /// code more, since there is no next one.
  static let most = (inside: 1.0, atEnd: 1.5)

  init(_ original: Float, number: Float, _ next: (Float, Float)) {
    let (original, number) = (Double(original), Double(number))
    let (low, high) = (Double(min(next.0, next.1)), Double(max(next.0, next.1)))
    let gaps = (below: number - low, above: high - number)
    let isAbove = original > number
    distance = abs(original - number)
    let (own, other) = isAbove ? (gaps.above, gaps.below) : (gaps.below, gaps.above)
    isAtEnd = !own.isFinite
    gap = own.isFinite ? own : other.isFinite ? other : 0
    slack = Self.rounding * max(abs(original), abs(number)) + (gap == 0 ? Self.least : 0)
  }

  private let slack: Double

  /// The distance in steps.
  var steps: Double { distance <= slack ? 0 : gap > 0 ? distance / gap : .infinity }
  /// True if the code can be that of the original.
  var isWithin: Bool { distance <= gap * (isAtEnd ? Self.most.atEnd : Self.most.inside) + slack }
  /// True if another code is nearer, or would be if there were one.
  var isBeyond: Bool { distance > gap / 2 + slack }

  /// True if a change by `change` would make another code the nearest.
  func isSensitive(to change: Double) -> Bool { !isAtEnd && abs(gap / 2 - distance) < change }
}

/// The comparison of a quantised tensor with original values.
struct QuantizedTally {
  private var differing: DiscrepancyTally
  private var beyond = 0
  private var worst = 0.0
  private var sensitive = 0

  init(_ shape: [Int]) { differing = DiscrepancyTally(shape) }

  /// Compares all values.
  ///
  /// - Throws: An error if the values cannot be read.
  mutating func add(
    _ tensor: RelatedTensor, _ grid: QuantizedGrid, from originals: any TensorSource
  ) throws(NetconvError) {
    var start = 0
    while start < tensor.count {
      let range = start..<min(start + 1 << 16, tensor.count)
      let numbers: [Float] = try tensor.source.values(range)
      let (below, above): ([Float], [Float]) = (
        try grid.below.values(range), try grid.above.values(range)
      )
      let values: [Float] = try originals.values(range)
      for index in numbers.indices {
        let step = GridStep(values[index], number: numbers[index], (below[index], above[index]))
        guard step.isWithin else {
          differing.add(start + index, numbers[index], expected: values[index])
          continue
        }
        if step.isBeyond { beyond += 1 }
        worst = max(worst, step.steps)
        if step.isSensitive(to: Quantization.change * Double(abs(values[index]))) { sensitive += 1 }
      }
      start = range.upperBound
    }
  }

  /// The values that are more than a step away; `nil` if there are none.
  var discrepancy: Discrepancy? { differing.discrepancy }

  /// The relation.
  func quantization(_ kind: String, isRequantized: Bool) -> Quantization {
    Quantization(
      verdict: isRequantized ? .requantized : beyond == 0 ? .nearest : .consistent, kind: kind,
      beyond: beyond, worst: worst, sensitive: sensitive)
  }
}

extension RelatedTensor {
  /// The outcome if the quantised tensor was made of these parts, but for at most half of its values; `nil` if more differ.
  ///
  /// - Throws: An error if the values cannot be read.
  func outcome(
    quantizing parts: [RelatedPart], _ a: [RelatedTensor]
  ) throws(NetconvError) -> Relation.Outcome? {
    guard let grid, canCompute(parts) else { return nil }
    let made = RelatedTensorSource(parts, of: a, shape: shape, cache: RelatedValues(), id: 0)
    var tally = QuantizedTally(shape)
    try tally.add(self, grid, from: made)
    var isRequantized = false
    for requantized in requantizers where !isRequantized {
      do throws(NetconvError) {
        isRequantized = try hasValues(of: requantized(made))
      } catch {
        // Some values are none of that form.
        guard error.kind == .badData else { throw error }
      }
    }
    if !isRequantized, let discrepancy = tally.discrepancy {
      return discrepancy.count * 2 <= count ? .nearly(parts, discrepancy) : nil
    }
    let found = tally.quantization(grid.kind, isRequantized: isRequantized)
    return .related(parts.map { $0.changed(.quantized(found)) })
  }

  /// True if all values have the bits of another source.
  private func hasValues(of other: any TensorSource) throws(NetconvError) -> Bool {
    var isSame = true
    try source.forEachPiece(in: 0..<count) { (range, values) throws(NetconvError) in
      guard isSame else { return }
      let others: [Float] = try other.values(range)
      isSame = zip(values, others).allSatisfy { $0 == $1 }
    }
    return isSame
  }
}
