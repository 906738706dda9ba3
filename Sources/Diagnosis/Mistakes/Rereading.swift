import ModelIR

/// A rearrangement of values that are in one order of axes but were read as if in another.
struct Rereading: Sendable {
  /// The copy from the layout of the spec to the stated layout.
  private let toFile: StridedCopy
  /// The copy from the actual layout to the layout of the spec.
  private let fromFile: StridedCopy
  /// The source indices of some values, or of all in a small parameter; rearrangements with equal
  /// signatures are equal.
  let signature: [Int]
  private let sample: [Int]

  /// Creates the rearrangement of `parameter` from the stated layout `declared` to its actual
  /// layout `order`.
  ///
  /// - Returns: `nil` if `order` lacks an axis.
  init?(of parameter: LayerCase.Parameter, _ declared: LayerCase.DeclaredLayout, as order: Layout) {
    let spec = parameter.spec
    guard
      let toFile = try? Rearrangement(
        from: spec.layout, to: declared.layout, sizes: spec.sizes, reversing: declared.reversed),
      let fromFile = try? Rearrangement(
        from: order, to: spec.layout, sizes: spec.sizes, reversing: declared.reversed)
    else { return nil }
    self.init(toFile.copy, fromFile.copy, count: parameter.values.count)
  }

  private init(_ toFile: StridedCopy, _ fromFile: StridedCopy, count: Int) {
    self.toFile = toFile
    self.fromFile = fromFile
    var random = SplitMix64(seed: 1)
    sample =
      count <= 4096
      ? Array(0..<count) : (0..<1024).map { _ in Int.random(in: 0..<count, using: &random) }
    signature = sample.map { toFile.sourceIndex(of: fromFile.sourceIndex(of: $0)) }
  }

  /// True if no value moves.
  var isIdentity: Bool { signature == sample }

  /// The rearranged values.
  func applied(to values: NDArray<Float>) -> NDArray<Float> {
    NDArray(shape: values.shape, values: fromFile.applied(to: toFile.applied(to: values.values)))
  }
}
