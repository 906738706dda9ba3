import ModelIR
import Synchronization

/// The values of a weight with an adapter merged into it, in the element type of the weight.
///
/// Source: PEFT 0.21, `tuners/lora/layer.py`, `merge`; `tuners/lora/variants.py`, `merge_unsafe`: the sum is computed in
/// float32, and rounded to the type of the base weight.
struct MergedValues: TensorSource {
  let base: any TensorSource
  let product: LowRankProduct
  /// The magnitudes of DoRA; `nil` without.
  let magnitudes: Magnitudes?
  let elementType: ElementType

  init(_ base: any TensorSource, _ product: LowRankProduct, magnitudes: (any TensorSource)?) {
    self.base = base
    self.product = product
    elementType = base.elementType.ofMerged
    self.magnitudes = magnitudes.map { Magnitudes($0, of: base, product) }
  }

  var count: Int { base.count }
  var isSequential: Bool { base.isSequential }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    let values = UnsafeMutableBufferPointer(rebasing: values[..<range.count])
    try base.read(range, into: values)
    try product.add(to: values, range)
    try magnitudes?.scale(values, range)
    elementType.round(values)
  }
}

/// The magnitudes of DoRA: factors by which the merged rows of outputs are scaled to stored norms.
final class Magnitudes: Sendable {
  private let stored: any TensorSource
  private let base: any TensorSource
  private let product: LowRankProduct
  private let known = Mutex<[Float]?>(nil)

  /// - Parameter stored: The norms of the outputs.
  init(_ stored: any TensorSource, of base: any TensorSource, _ product: LowRankProduct) {
    self.stored = stored
    self.base = base
    self.product = product
  }

  /// Multiplies merged values with the indices `range`.
  func scale(
    _ values: UnsafeMutableBufferPointer<Float>, _ range: Range<Int>
  ) throws(NetconvError) {
    let factors = try factors()
    for (place, index) in range.enumerated() { values[place] *= factors[output(of: index)] }
  }

  private func output(of index: Int) -> Int {
    product.isTransposed ? index % product.columns : index / product.columns
  }

  /// The magnitude of each output, divided by the norm of its merged values; computed on first use.
  private func factors() throws(NetconvError) -> [Float] {
    if let known = known.withLock({ $0 }) { return known }
    var squares = [Double](repeating: 0, count: stored.count)
    let step = 1 << 16
    for start in stride(from: 0, to: base.count, by: step) {
      let range = start..<min(start + step, base.count)
      var values: [Float] = try base.values(range)
      try values.mutate { buffer throws(NetconvError) in try product.add(to: buffer, range) }
      for (place, index) in range.enumerated() {
        squares[output(of: index)] += Double(values[place]) * Double(values[place])
      }
    }
    let factors = zip(try stored.floats(0..<stored.count), squares).map { magnitude, square in
      magnitude / Float(square.squareRoot())
    }
    known.withLock { $0 = factors }
    return factors
  }
}

extension [Float] {
  /// Calls `body` with the elements in place.
  fileprivate mutating func mutate(
    _ body: (UnsafeMutableBufferPointer<Float>) throws(NetconvError) -> Void
  ) throws(NetconvError) {
    var failure: NetconvError?
    withUnsafeMutableBufferPointer { buffer in
      do throws(NetconvError) {
        try body(buffer)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}

extension ElementType {
  /// The type of a merged weight; sums are computed in float32.
  var ofMerged: ElementType { self == .float64 ? .float32 : self }
}
