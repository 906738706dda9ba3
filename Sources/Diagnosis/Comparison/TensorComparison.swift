import ModelIR

/// The result of comparing two tensors value by value.
package struct TensorComparison: Sendable {
  /// The distance of the second tensor's values from the first's.
  package private(set) var difference = Difference()
  /// The number of unequal values.
  package private(set) var changedCount = 0
  /// The largest distance, in ULPs of the less precise of the two types.
  package private(set) var maximumSteps: UInt64 = 0
  /// The index of the pair to show, in canonical order: the first with one finite value, otherwise
  /// the one with the largest distance; `nil` if all are equal.
  package private(set) var place: Int?
  /// The values at ``place``.
  package private(set) var pair: (first: Double, second: Double) = (0, 0)
  /// True if each value of the second tensor is the first's, rounded to the second's type.
  package private(set) var isRoundedFirst = true
  /// True if each value of the first tensor is the second's, rounded to the first's type.
  package private(set) var isRoundedSecond = true

  private let types: (first: ElementType, second: ElementType)
  private let stepType: ElementType

  /// Compares two tensors in their canonical layouts.
  ///
  /// - Parameters:
  ///   - first: The expected tensor.
  ///   - second: The actual tensor, with compatible axes; see ``TensorAlignment``.
  ///   - checkCancellation: Called between panels.
  /// - Throws: An error if the values cannot be read, or any error that `checkCancellation` throws.
  package init(
    _ first: Tensor, _ second: Tensor, _ checkCancellation: () throws(NetconvError) -> Void = {}
  ) throws(NetconvError) {
    types = (first.stored.source.elementType.exactType, second.stored.source.elementType.exactType)
    stepType = ElementType.coarser(types.first, types.second)
    let (first, second) = (try first.canonical(), try second.canonical())
    if types.first == .float64 || types.second == .float64 {
      try compare(
        ValueStream<Double>(first), ValueStream<Double>(second), checkCancellation)
    } else {
      try compare(ValueStream<Float>(first), ValueStream<Float>(second), checkCancellation)
    }
  }

  private mutating func compare<Value>(
    _ first: ValueStream<Value>, _ second: ValueStream<Value>,
    _ checkCancellation: () throws(NetconvError) -> Void
  ) throws(NetconvError) {
    var (a, b) = (try first.next(), try second.next())
    while let left = a, let right = b {
      try checkCancellation()
      // The panels of two layouts have different sizes.
      let count = min(left.count, right.count)
      for index in 0..<count { add(Double(left[index]), Double(right[index])) }
      a = count < left.count ? UnsafeBufferPointer(rebasing: left[count...]) : try first.next()
      b = count < right.count ? UnsafeBufferPointer(rebasing: right[count...]) : try second.next()
    }
  }

  private mutating func add(_ a: Double, _ b: Double) {
    let index = difference.count
    let before = (difference.maximumAbsolute, difference.mismatchedNonFinite)
    difference.add(b, expected: a)
    guard a != b, !(a.isNaN && b.isNaN) else { return }
    changedCount += 1
    if types.first != types.second {
      isRoundedFirst = isRoundedFirst && types.second.nearest(to: a) == b
      isRoundedSecond = isRoundedSecond && types.first.nearest(to: b) == a
    } else {
      isRoundedFirst = false
      isRoundedSecond = false
    }
    let isFirstMismatch = before.1 == 0 && difference.mismatchedNonFinite == 1
    let isFarther = difference.mismatchedNonFinite == 0 && difference.maximumAbsolute > before.0
    if isFirstMismatch || isFarther {
      place = index
      pair = (a, b)
    }
    if a.isFinite, b.isFinite {
      maximumSteps = max(maximumSteps, stepType.steps(from: a, to: b))
    }
  }
}
