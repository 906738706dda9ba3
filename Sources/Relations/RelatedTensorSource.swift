import ModelIR
import Synchronization

/// The values of a tensor computed from others according to relations.
package struct RelatedTensorSource: GatheringSource {
  /// The dtype before the values are written.
  package var elementType: ElementType { .float32 }
  private let shape: [Int]
  private let parts: [RelatedPart]
  private let tensors: [RelatedTensor]
  private let cache: RelatedValues
  private let id: Int

  /// The number of values.
  package var count: Int { shape.reduce(1, *) }

  /// True if a source tensor is read fastest from front to back.
  package var isSequential: Bool {
    parts.contains { part in part.source.map { tensors[$0].source.isSequential } ?? false }
  }

  /// Creates a tensor of the shape `shape` from `parts` of `tensors`.
  ///
  /// - Parameters:
  ///   - cache: A cache shared by the tensors of a network, of which few are computed at a time.
  ///   - id: The tensor's key in the cache.
  package init(
    _ parts: [RelatedPart], of tensors: [RelatedTensor], shape: [Int], cache: RelatedValues, id: Int
  ) {
    self.shape = shape
    self.parts = parts
    self.tensors = tensors
    self.cache = cache
    self.id = id
  }

  package func gather<Value: StreamedValue>(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Value>
  ) throws(NetconvError) {
    values.update(repeating: 0)
    for (number, part) in parts.enumerated() where part.source != nil {
      let places = SectionPlaces(part.target, of: shape)
      let own = places.indices(in: range)
      guard !own.isEmpty else { continue }
      let made = try self.values(of: part, number, own, count: places.count)
      for (index, value) in zip(own, made) {
        values[places.sourceIndex(of: index) - range.lowerBound] = Value(value)
      }
    }
  }

  /// The values of a part at `range`, in the part's own order.
  private func values(
    of part: RelatedPart, _ number: Int, _ range: Range<Int>, count: Int
  ) throws(NetconvError) -> ArraySlice<Float> {
    guard part.isMoved else {
      let cut = try part.cut(of: tensors)
      guard cut.count == count else { throw .otherCount(cut.count, expected: count) }
      return try part.values(range, of: cut, tensors)[...]
    }
    // A permuted part is computed once, because its values come from the whole tensor.
    let made = try cache.values(id, number) { () throws(NetconvError) in
      try part.values(of: tensors)
    }
    guard made.count == count else { throw .otherCount(made.count, expected: count) }
    return made[range]
  }
}

/// The positions of a section's values in the whole array.
private struct SectionPlaces {
  private let copy: StridedCopy
  private let start: Int

  init(_ sections: [RelatedPart.Section], of shape: [Int]) {
    var strides = rowMajorStrides(of: shape)
    var sizes = shape
    var start = 0
    for section in sections {
      sizes[section.axis] = section.count
      start += section.range.lowerBound * strides[section.axis]
      strides[section.axis] *= section.step
    }
    self.start = start
    copy = StridedCopy(
      zip(sizes, strides).map { StridedCopy.Dimension(size: $0, stride: $1) })
  }

  var count: Int { copy.count }

  func sourceIndex(of index: Int) -> Int { start + copy.sourceIndex(of: index) }

  /// The indices in the section whose positions are in `range`; they are contiguous because
  /// positions increase.
  func indices(in range: Range<Int>) -> Range<Int> {
    let first = firstIndex(at: range.lowerBound)
    return first..<max(first, firstIndex(at: range.upperBound))
  }

  /// The index of the first value at or after `place`.
  private func firstIndex(at place: Int) -> Int {
    var candidates = 0..<count
    while !candidates.isEmpty {
      let middle = candidates.lowerBound + candidates.count / 2
      candidates =
        sourceIndex(of: middle) < place
        ? middle + 1..<candidates.upperBound : candidates.lowerBound..<middle
    }
    return candidates.lowerBound
  }
}

/// A cache of recently computed parts of tensors.
package final class RelatedValues: Sendable {
  private let made = Mutex<[(id: Int, part: Int, values: [Float])]>([])

  /// The number of tensors that threads work on at a time.
  private static let mostTensors = 4

  /// Creates an empty cache.
  package init() {}

  func values(
    _ id: Int, _ part: Int, _ make: () throws(NetconvError) -> [Float]
  ) throws(NetconvError) -> [Float] {
    let known = made.withLock { $0.first { $0.id == id && $0.part == part } }
    if let known { return known.values }
    let values = try make()
    made.withLock { all in
      let others = Set(all.map(\.id)).subtracting([id])
      if others.count == Self.mostTensors, let first = all.first(where: { $0.id != id })?.id {
        all.removeAll { $0.id == first }
      }
      all.append((id, part, values))
    }
    return values
  }
}

extension RelatedPart {
  /// True if the values are permuted.
  var isMoved: Bool { rearrangement.map { !$0.copy(orders: orders).isIdentity } ?? false }

  /// The source section of the part, without the addend.
  ///
  /// - Throws: `badData` if the addend has another size.
  fileprivate func cut(of tensors: [RelatedTensor]) throws(NetconvError) -> RelatedTensor {
    guard let source else { preconditionFailure("zeros are made of nothing") }
    let cut = sourceSections.reduce(tensors[source]) { $0.section($1) }
    if let addend, tensors[addend].count != cut.count {
      throw .otherCount(tensors[addend].count, expected: cut.count)
    }
    return cut
  }

  /// The values of the part in the order of the target tensor.
  ///
  /// - Throws: An error if the values cannot be read; `badData` if the tensors do not fit, or if the
  ///   memory is insufficient.
  func values(of tensors: [RelatedTensor]) throws(NetconvError) -> [Float] {
    guard source != nil else { return [] }
    let cut = try cut(of: tensors)
    // Three copies: as read, the addend, and permuted.
    try MemoryBound.check(file: product([cut.count, 3 * MemoryLayout<Float>.size]))
    var values = try sum(0..<cut.count, of: cut, tensors)
    if let copy = rearrangement?.copy(orders: orders), !copy.isIdentity {
      guard copy.count == values.count else {
        throw .otherCount(values.count, expected: copy.count)
      }
      values = copy.applied(to: values)
    }
    return try likeness.applied(
      to: values, from: 0, of: cut.count, shape: shape(of: cut), tensors)
  }

  /// The values at `range` of a part that is not permuted.
  fileprivate func values(
    _ range: Range<Int>, of cut: RelatedTensor, _ tensors: [RelatedTensor]
  ) throws(NetconvError) -> [Float] {
    try likeness.applied(
      to: sum(range, of: cut, tensors), from: range.lowerBound, of: cut.count,
      shape: shape(of: cut), tensors)
  }

  private func sum(
    _ range: Range<Int>, of cut: RelatedTensor, _ tensors: [RelatedTensor]
  ) throws(NetconvError) -> [Float] {
    var values: [Float] = try cut.source.values(range)
    if let addend {
      let others: [Float] = try tensors[addend].source.values(range)
      for index in values.indices { values[index] += others[index] }
    }
    return values
  }

  private func shape(of tensor: RelatedTensor) -> [Int] {
    guard let rearrangement else { return tensor.shape }
    return (try? rearrangement.target.shape(rearrangement.sizes)) ?? tensor.shape
  }
}

extension Likeness {
  /// Applies the change to some values of an array with the shape `shape`.
  ///
  /// - Parameters:
  ///   - start: The offset of the first value.
  ///   - count: The number of values in the whole array.
  fileprivate func applied(
    to values: [Float], from start: Int, of count: Int, shape: [Int], _ tensors: [RelatedTensor]
  ) throws(NetconvError) -> [Float] {
    switch self {
    case .exact, .quantized: return values
    case .rounded, .truncated: return values.map { Float(bitPattern: apply(to: $0.bitPattern)) }
    case .negated: return values.map { -$0 }
    case .negatedExponential: return values.map(Likeness.negatedExponential)
    case .shifted(let number): return values.map { Float(Double($0) + number) }
    case .scaled(let scale):
      let factors = try scale.normalization?.factors(tensors) ?? scale.values
      guard let axis = scale.axis else { return values.map { Float(Double($0) * factors[0]) } }
      guard shape.indices.contains(axis), factors.count == shape[axis] else {
        throw .otherCount(factors.count, expected: shape.indices.contains(axis) ? shape[axis] : 0)
      }
      let stride = rowMajorStrides(of: shape)[axis]
      return values.indices.map {
        Float(Double(values[$0]) * factors[(start + $0) / stride % factors.count])
      }
    case .folded(let folded):
      let vector = { (index: Int) throws(NetconvError) -> [Float] in
        guard tensors[index].count == count else {
          throw .otherCount(tensors[index].count, expected: count)
        }
        return try tensors[index].source.values(start..<start + values.count)
      }
      let mean = try vector(folded.mean)
      let bias = try folded.bias.map(vector)
      guard let factors = try folded.normalization?.factors(tensors), factors.count == count
      else { throw .otherCount(0, expected: count) }
      return values.indices.map { index in
        let offset = Double(bias?[index] ?? 0) - Double(mean[index])
        return Float(Double(values[index]) + offset * factors[start + index])
      }
    }
  }
}

extension RelatedPart.FoldedNormalization {
  /// The factors, `gamma / sqrt(variance + epsilon)`.
  fileprivate func factors(_ tensors: [RelatedTensor]) throws(NetconvError) -> [Double] {
    let gammas: [Float] = try tensors[gamma].source.values(0..<tensors[gamma].count)
    let variances: [Float] = try tensors[variance].source.values(0..<tensors[variance].count)
    guard gammas.count == variances.count else {
      throw .otherCount(variances.count, expected: gammas.count)
    }
    return zip(gammas, variances).map { Double($0) / (Double($1) + epsilon).squareRoot() }
  }
}

extension NetconvError {
  fileprivate static func otherCount(_ count: Int, expected: Int) -> NetconvError {
    NetconvError(.badData, "has \(count) values where \(expected) are taken")
  }
}
