import Diagnosis
import ModelIR

/// The comparison of a tensor of one network with its counterpart in another.
struct TensorDiff: Sendable {
  private let a: HashedTensor
  private let b: HashedTensor
  private let paths: (a: String, b: String)
  private let alignment: TensorAlignment?
  /// Both tensors with matching axes, if they have any: a tensor whose axes are unknown adopts those of the other.
  let compared: (a: Tensor, b: Tensor)
  /// True if one of the two adopted the axes of the other.
  let sharesAxes: Bool

  /// - Parameter paths: the paths of the two networks, for errors.
  init(_ a: HashedTensor, _ b: HashedTensor, paths: (a: String, b: String)) {
    self.a = a
    self.b = b
    self.paths = paths
    if let alignment = TensorAlignment(a.tensor, b.tensor) {
      (self.alignment, compared, sharesAxes) = (alignment, (a.tensor, b.tensor), false)
      return
    }
    let shared =
      b.tensor.withAxes(of: a.tensor).map { (a: a.tensor, b: $0) }
      ?? a.tensor.withAxes(of: b.tensor).map { (a: $0, b: b.tensor) }
    alignment = shared.flatMap { TensorAlignment($0.a, $0.b) }
    sharesAxes = shared != nil
    compared = shared ?? (a.tensor, b.tensor)
  }

  /// Returns the result of the comparison.
  ///
  /// - Parameter tolerance: the largest accepted distance of a value, relative to the largest value of the first
  ///   tensor.
  /// - Throws: any error from reading the values, with the path.
  func pair(
    tolerance: Double?, _ notes: inout DiffNotes, _ observer: Observer
  ) throws(NetconvError) -> DiffReport.Pair {
    // A scalar does not match an axis of size 1: a module that accepts one rejects the other.
    guard let alignment, a.tensor.storedShape.isEmpty == b.tensor.storedShape.isEmpty else {
      return result(a, b, .shape)
    }
    let (a, b) = try hashed(observer)
    if a.hash == b.hash {
      if a.nonFinite > 0 {
        notes.add(
          DiffMessages.bothNotFinite(
            a.tensor.title, a.nonFinite, of: a.tensor.count))
      }
      return result(a, b, .equal)
    }
    if !alignment.isExact, let order = try otherOrder(a, b, observer) {
      notes.add(DiffMessages.otherOrder(a.tensor.title, order))
      return result(a, b, .equal)
    }
    // Both were hashed without an error; if a file has failed since, only the error itself can name it.
    let comparison = try TensorComparison(a.tensor, b.tensor) { () throws(NetconvError) in
      try observer.checkCancellation()
    }
    let isRounded = comparison.isRoundedFirst || comparison.isRoundedSecond
    // Different types have different hashes for equal values.
    let isSame =
      comparison.changedCount == 0
      && a.tensor.stored.source.elementType.exactType
        != b.tensor.stored.source.elementType.exactType
    let difference = comparison.difference
    let isWithin =
      tolerance.map { tolerance in
        difference.mismatchedNonFinite == 0
          && difference.maximumAbsolute <= tolerance * difference.expectedMaximum
      } ?? false
    return result(
      a, b, isSame ? .equal : isRounded ? .rounded : isWithin ? .within : .changed,
      values(comparison, alignment, try a.tensor.canonical(), try b.tensor.canonical()))
  }

  /// Returns both tensors with their hashes, which are computed concurrently.
  private func hashed(_ observer: Observer) throws(NetconvError) -> (HashedTensor, HashedTensor) {
    let (first, second) = concurrently { () throws(NetconvError) in
      try hashed(compared.a, a.name, paths.a, observer)
    } and: { () throws(NetconvError) in
      try hashed(compared.b, b.name, paths.b, observer)
    }
    return (try first.get(), try second.get())
  }

  private func hashed(
    _ tensor: Tensor, _ name: String, _ path: String, _ observer: Observer
  ) throws(NetconvError) -> HashedTensor {
    var tensor = HashedTensor(tensor: tensor, name: name)
    do {
      _ = try tensor.computeHash(observer)
      return tensor
    } catch {
      throw error.inFile(path)
    }
  }

  /// Returns the order of the axes that a flatten has merged, if the tensor that does not state them has the values
  /// of the other in channels-first order.
  private func otherOrder(
    _ a: HashedTensor, _ b: HashedTensor, _ observer: Observer
  ) throws(NetconvError) -> String? {
    let (fine, coarse) =
      a.tensor.spec.layout.axes.count > b.tensor.spec.layout.axes.count ? (a, b) : (b, a)
    let axes = fine.tensor.spec.layout.canonical.axes
    let channels: Set<Axis> = [.inputChannels, .channels]
    let outer = axes.filter { $0 == .outputChannels }
    let merged =
      axes.filter(channels.contains)
      + axes.filter {
        !channels.contains($0) && $0 != .outputChannels
      }
    let order = try Layout((outer + merged).map { Layout.Dimension([$0]) })
    let type = coarse.tensor.stored.source.elementType.exactType
    guard fine.tensor.stored.source.elementType.exactType == type,
      try fine.tensor.contentHash(
        in: order, { () throws(NetconvError) in try observer.checkCancellation() }) == coarse.hash
    else { return nil }
    return merged.map(\.description).joined(separator: ", ")
  }

  private func result(
    _ a: HashedTensor, _ b: HashedTensor, _ status: DiffReport.Status,
    _ values: DiffReport.Values? = nil
  ) -> DiffReport.Pair {
    DiffReport.Pair(
      a: DiffReport.Tensor(self.a, hash: a.hash), b: DiffReport.Tensor(self.b, hash: b.hash),
      status: status, difference: values)
  }

  private func values(
    _ comparison: TensorComparison, _ alignment: TensorAlignment, _ a: Tensor, _ b: Tensor
  ) -> DiffReport.Values {
    let difference = comparison.difference
    let worst = comparison.place.map { place in
      DiffReport.ValuePair(
        indices: alignment.coordinates(of: place).map {
          DiffReport.Index(axis: $0.axis.description, index: $0.index)
        },
        a: DiffReport.StoredValue(
          index: a.rearrangement.copy.sourceIndex(of: place),
          value: ReportedNumber(value: comparison.pair.first)),
        b: DiffReport.StoredValue(
          index: b.rearrangement.copy.sourceIndex(of: place),
          value: ReportedNumber(value: comparison.pair.second)))
    }
    return DiffReport.Values(
      count: difference.count, changed: comparison.changedCount,
      maximumAbsolute: difference.isKnown ? difference.maximumAbsolute : .nan,
      meanAbsolute: difference.isKnown ? difference.meanAbsolute : .nan,
      maximumULPs: comparison.maximumSteps, cosine: difference.cosine,
      nonFinite: difference.mismatchedNonFinite + difference.alikeNonFinite,
      mismatchedNonFinite: difference.mismatchedNonFinite, worst: worst)
  }
}

extension Tensor {
  /// The layer and the role, or the name if the two are equal.
  var title: String { layer == spec.role.rawValue ? layer : "\(layer) \(spec.role)" }

  /// Returns the same values with the axes of another tensor, if the axes here are unknown, or it is a vector, and
  /// the stored shapes are equal; `nil` otherwise.
  fileprivate func withAxes(of other: Tensor) -> Tensor? {
    guard spec.kind == .unknown || spec.kind == .vector && spec.cell == nil,
      storedShape == other.storedShape
    else { return nil }
    var stored = stored
    stored.layout = other.storedLayout
    stored.reversed = other.stored.reversed
    stored.shape = nil
    return try? Tensor(layer: layer, spec: other.spec, stored: stored)
  }
}
