import ModelIR

/// The move that reads values which lie in one order of axes as if they lay in another.
struct Rereading: Sendable {
  /// From the layout of the spec to the one that the values are said to have.
  private let toFile: StridedCopy
  /// From the one that they have to the layout of the spec.
  private let fromFile: StridedCopy
  /// Where some values come from, of a small parameter all: moves with equal signatures are equal.
  let signature: [Int]
  private let sample: [Int]

  /// The move of `parameter`, whose values are said to lie as `declared`, but lie in `order`.
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

  /// Whether nothing moves.
  var isIdentity: Bool { signature == sample }

  /// The values after the move.
  func applied(to values: NDArray<Float>) -> NDArray<Float> {
    NDArray(shape: values.shape, values: fromFile.applied(to: toFile.applied(to: values.values)))
  }
}
