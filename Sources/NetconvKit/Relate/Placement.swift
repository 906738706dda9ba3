import ModelIR
import Relations
import Transforms

/// The rearrangement from a tensor of A to one of B that a consumer needs, and the actual one.
struct Placement {
  /// The possible origins of the tensor of B.
  private let parts: [RelatedPart]
  /// True for a kernel, which has more than one axis.
  let isOfKernel: Bool
  /// The rearrangement that the consumer needs.
  private let wanted: Rearrangement
  /// The number of values.
  private let count: Int
  /// The shape of the array of B.
  private let shape: [Int]
  /// True for one of two biases if the consumer has only their sum.
  private let isSummand: Bool

  /// Creates the placement of `a` in `b`; `nil` if the meaning of the axes or the layout of `consumer` is unknown.
  ///
  /// - Parameters:
  ///   - a: a tensor of A.
  ///   - maker: the framework that wrote A; its layouts apply if A states none.
  ///   - b: the tensor of B that has the values of `a`.
  ///   - parts: the possible origins of the tensor of B, each a whole tensor; all yield the same values.
  ///   - consumer: the consumer of B; a requested target takes precedence over the layouts that B states.
  ///   - isBesideBias: true if B has the second bias of the recurrent layer of `a` as a separate tensor.
  init?(
    of a: Tensor, madeBy maker: Target?, as b: Tensor, by parts: [RelatedPart],
    for consumer: Consumer, besideBias isBesideBias: Bool
  ) {
    guard a.spec.kind != .unknown || b.spec.kind != .unknown else { return nil }
    guard
      let source = a.spec.kind == .unknown ? maker.flatMap({ a.stored(as: b.spec, for: $0) }) : a
    else { return nil }
    let statesLayout = b.spec.kind != .unknown && consumer.basis == .layouts
    let ends: (layout: Layout, reversed: Set<Axis>)? =
      statesLayout
      ? (b.storedLayout, b.stored.reversed)
      : consumer.target.flatMap { target in
        target.layout(for: source).map { ($0, target.reversedAxes(of: source.spec)) }
      }
    guard let ends, let wanted = try? source.rearranged(to: ends.layout, reversed: ends.reversed),
      wanted.count == b.count
    else { return nil }
    // Channels may have any order that the adjacent layers share; gates may not.
    guard source.spec.cell != nil || parts.allSatisfy(\.orders.isEmpty) else { return nil }
    self.parts = parts
    self.wanted = wanted.rearrangement
    isOfKernel = source.spec.kind != .vector
    count = b.count
    shape = b.storedShape
    let isBias =
      source.spec.role == .recurrentBias
      || isBesideBias && [.bias, .inputBias].contains(source.spec.role)
    isSummand =
      isBias && parts.allSatisfy { $0.addend == nil }
      && consumer.reader?.hasOneBias(in: source.spec) ?? false
  }

  /// The mistake, if the actual rearrangement is not the one that the consumer needs; otherwise `nil`.
  var mistake: RelateReport.Mistake? {
    kind.map { kind in
      RelateReport.Mistake(
        kind: kind, sourceLayout: wanted.source.description, layout: wanted.target.description,
        shape: (try? wanted.target.shape(wanted.sizes)) ?? [], pattern: wanted.pattern,
        sizes: wanted.patternSizes, reversed: wanted.reversedNames,
        gates: wanted.gatePlaces == nil ? nil : wanted.target.gates?.description)
    }
  }

  private var kind: RelateReport.Mistake.Kind? {
    if isSummand { return .notSummed }
    let made = parts.compactMap(\.copy)
    guard let first = made.first, !made.contains(where: { isSame(wanted.copy, $0) }) else {
      return nil
    }
    if first.isIdentity { return .notMoved }
    if let twice = wanted.twice, made.contains(where: { isSame(twice.copy, $0) }) {
      return .movedTwice
    }
    if wanted.copy.isIdentity { return .movedNeedlessly }
    if let order = wanted.withoutGateOrder, made.contains(where: { isSame(order.copy, $0) }) {
      return .gateOrder
    }
    if let order = wanted.inFlattenOrderOfSource, made.contains(where: { isSame(order.copy, $0) }) {
      return .flattenOrder
    }
    return .otherOrder
  }

  /// True if two copies read every value from the same index.
  ///
  /// The index in the source is a sum of terms, one for each axis of B, so it is enough to compare along each axis.
  /// Since B may split an axis that the consumer does not, some indices in between are compared as well.
  private func isSame(_ one: StridedCopy, _ other: StridedCopy) -> Bool {
    guard one != other else { return true }
    guard one.count == other.count else { return false }
    var stride = count
    for size in shape where size > 0 {
      stride /= size
      guard
        (0..<size).allSatisfy({
          one.sourceIndex(of: $0 * stride) == other.sourceIndex(of: $0 * stride)
        })
      else { return false }
    }
    let step = max(1, count / 4096)
    return Swift.stride(from: 0, to: count, by: step).allSatisfy {
      one.sourceIndex(of: $0) == other.sourceIndex(of: $0)
    }
  }
}

extension Tensor {
  /// Returns the same values as a parameter with another specification, in the layout of `target`.
  fileprivate func stored(as spec: ParameterSpec, for target: Target) -> Tensor? {
    guard let layout = target.layout(for: spec) else { return nil }
    let stored = StoredTensor(
      source: stored.source, layout: layout, reversed: target.reversedAxes(of: spec), shape: nil,
      path: stored.path)
    guard let tensor = try? Tensor(layer: layer, spec: spec, stored: stored), tensor.count == count
    else { return nil }
    return tensor
  }
}

extension Rearrangement {
  /// The same permutation of dimensions applied twice; `nil` if the rearrangement merges or splits dimensions, or is
  /// its own inverse.
  fileprivate var twice: Rearrangement? {
    let (from, to) = (source.dimensions, target.dimensions)
    let places = to.compactMap { from.firstIndex(of: $0) }
    guard Set(places).count == from.count, to.count == from.count, reversed.isEmpty,
      gatePlaces == nil, let layout = try? Layout(places.map { to[$0] }),
      let move = try? Rearrangement(from: source, to: layout, sizes: sizes), !move.copy.isIdentity
    else { return nil }
    return move
  }

  /// The same rearrangement without reordering the axes that a flatten has merged; `nil` if it does not reorder them.
  fileprivate var inFlattenOrderOfSource: Rearrangement? {
    guard let hidden = source.dimensions.first(where: { $0.axes.count > 1 })?.axes else {
      return nil
    }
    var order = hidden.makeIterator()
    let layout = try? Layout(
      target.dimensions.map { dimension in
        Layout.Dimension(dimension.axes.map { hidden.contains($0) ? order.next() ?? $0 : $0 })
      })
    guard let layout, layout.axes != target.axes else { return nil }
    return try? Rearrangement(from: source, to: layout, sizes: sizes, reversing: reversed)
  }

  /// The same rearrangement without reordering gates; `nil` if it does not reorder them.
  fileprivate var withoutGateOrder: Rearrangement? {
    guard gatePlaces != nil else { return nil }
    return try? Rearrangement(
      from: source.with(gates: nil), to: target.with(gates: nil), sizes: sizes, reversing: reversed)
  }
}
