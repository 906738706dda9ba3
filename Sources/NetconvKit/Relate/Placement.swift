import ModelIR
import Relations
import Transforms

/// How a tensor of B should have been made of one of A for a consumer, and how it was.
struct Placement {
  /// What the tensor of B may have been made of.
  private let parts: [RelatedPart]
  /// Whether it is a kernel, which has more than one axis.
  let isOfKernel: Bool
  /// What a consumer wants of the values of A.
  private let wanted: Rearrangement
  /// The number of values.
  private let count: Int
  /// The shape of the array of B.
  private let shape: [Int]
  /// Whether it is one of two biases, and the consumer has their sum alone.
  private let isSummand: Bool

  /// The placement of what became of `a`; `nil` if nobody says what the axes are, or how `consumer` wants them.
  ///
  /// - Parameters:
  ///   - a: a tensor of A.
  ///   - maker: the layouts of the framework that A is from, which count where A states none.
  ///   - b: the tensor of B that has its values.
  ///   - parts: what the tensor of B may have been made of, each the whole of a tensor; all give the same values.
  ///   - consumer: who reads B; its target counts more than what B states if that was asked for.
  ///   - isBesideBias: whether B has the second bias of the recurrent layer of `a` as a tensor of its own.
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
    // Channels may have any order that the layers around them share; gates may not.
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

  /// What was done instead of what the consumer wants; `nil` if nothing else was.
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

  /// Whether two copies take every value from the same place.
  ///
  /// Both are sums of what each axis of B contributes, so that a walk along each axis decides it. Where B splits an
  /// axis that the consumer has as one, places between are compared as well.
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
  /// The same values as a parameter of another description, stored as `target` stores it.
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
  /// The same move of dimensions made two times; `nil` if it merges or splits any, or two times are none.
  fileprivate var twice: Rearrangement? {
    let (from, to) = (source.dimensions, target.dimensions)
    let places = to.compactMap { from.firstIndex(of: $0) }
    guard Set(places).count == from.count, to.count == from.count, reversed.isEmpty,
      gatePlaces == nil, let layout = try? Layout(places.map { to[$0] }),
      let move = try? Rearrangement(from: source, to: layout, sizes: sizes), !move.copy.isIdentity
    else { return nil }
    return move
  }

  /// The same with what a flatten has merged in the order of the source; `nil` if it stays in it.
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

  /// The same with gates in the order of the source; `nil` if they stay in it.
  fileprivate var withoutGateOrder: Rearrangement? {
    guard gatePlaces != nil else { return nil }
    return try? Rearrangement(
      from: source.with(gates: nil), to: target.with(gates: nil), sizes: sizes, reversing: reversed)
  }
}
