import ModelIR

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The search for a tensor whose values are -exp(x) of another's, as the decay rates of state-space models are stored.
struct ExponentialSearch {
  private let a: RelatedTensor
  private let b: RelatedTensor
  /// The relative error of a value: that of exp and of its rounding to the stored dtype.
  private let tolerance: Double

  /// The number of different values that makes the relation meaningful.
  private static let fewest = 4

  /// - Precondition: Both have the same count.
  init(_ a: RelatedTensor, _ b: RelatedTensor) {
    self.a = a
    self.b = b
    tolerance = ScaleSearch.tolerance(of: b.valueType)
  }

  /// The first rearrangement after which each value is -exp(x); `nil` if there is none.
  func find() throws(NetconvError) -> Rearrangement? {
    let samples: [Float] = try b.source.values(0..<min(b.count, 64))
    guard samples.allSatisfy({ $0 < 0 }), Set(samples).count >= Self.fewest else { return nil }
    var candidates = Arrangements(a.axes, b.shape, known: .source)
    while let candidate = candidates.next(), candidate.reversed.isEmpty {
      if try fits(candidate) { return candidate }
    }
    return nil
  }

  private func fits(_ rearrangement: Rearrangement) throws(NetconvError) -> Bool {
    let stream = ValueStream<Float>(try a.rearranged(rearrangement))
    var position = 0
    while let originals = try stream.next() {
      let values: [Float] = try b.source.values(position..<position + originals.count)
      for (original, value) in zip(originals, values) {
        let expected = exp(Double(original))
        guard abs(Double(value) + expected) <= tolerance * expected else { return false }
      }
      position += originals.count
    }
    return true
  }
}

extension Likeness {
  /// Returns -exp(x) of a value.
  static func negatedExponential(of value: Float) -> Float { Float(-exp(Double(value))) }
}
