import ModelIR
import Synchronization

/// The values of a tensor that is made of others as relations say.
package struct MadeSource: GatheringSource {
  /// What values are until they are written.
  package var elementType: ElementType { .float32 }
  private let shape: [Int]
  private let parts: [RelatedPart]
  private let tensors: [RelatedTensor]
  private let cache: MadeValues
  private let id: Int

  /// The number of values.
  package var count: Int { shape.reduce(1, *) }

  /// Whether a tensor that it is made of is read fastest from front to back.
  package var isSequential: Bool {
    parts.contains { part in part.source.map { tensors[$0].source.isSequential } ?? false }
  }

  /// A tensor of the shape `shape`, made of `parts` of `tensors`.
  ///
  /// - Parameters:
  ///   - cache: shared by the tensors of a network, of which few are made at a time.
  ///   - id: which of them it is.
  package init(
    _ parts: [RelatedPart], of tensors: [RelatedTensor], shape: [Int], cache: MadeValues, id: Int
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

  /// The values of a part at `range`, counted in the order of the part.
  private func values(
    of part: RelatedPart, _ number: Int, _ range: Range<Int>, count: Int
  ) throws(NetconvError) -> ArraySlice<Float> {
    guard part.isMoved else {
      let cut = try part.cut(of: tensors)
      guard cut.count == count else { throw .otherCount(cut.count, expected: count) }
      return try part.values(range, of: cut, tensors)[...]
    }
    // What comes from anywhere in the tensor is made once.
    let made = try cache.values(id, number) { () throws(NetconvError) in
      try part.values(of: tensors)
    }
    guard made.count == count else { throw .otherCount(made.count, expected: count) }
    return made[range]
  }
}

/// The places of the values of a part of an array.
private struct SectionPlaces {
  private let copy: StridedCopy
  private let start: Int

  init(_ sections: [RelatedPart.Section], of shape: [Int]) {
    let strides = rowMajorStrides(of: shape)
    var sizes = shape
    var start = 0
    for section in sections {
      sizes[section.axis] = section.range.count
      start += section.range.lowerBound * strides[section.axis]
    }
    self.start = start
    copy = StridedCopy(
      zip(sizes, strides).map { StridedCopy.Dimension(size: $0, stride: $1) })
  }

  var count: Int { copy.count }

  func sourceIndex(of index: Int) -> Int { start + copy.sourceIndex(of: index) }

  /// Which values of the part are at places of `range`: they follow one another, as places only grow.
  func indices(in range: Range<Int>) -> Range<Int> {
    let first = firstIndex(at: range.lowerBound)
    return first..<max(first, firstIndex(at: range.upperBound))
  }

  /// The first value at `place` or behind it.
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

/// The values of parts of tensors that were made lately.
package final class MadeValues: Sendable {
  private let made = Mutex<[(id: Int, part: Int, values: [Float])]>([])

  /// Threads work on so many tensors at a time.
  private static let mostTensors = 4

  /// None yet.
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
  /// Whether values come from other places than those that they go to.
  var isMoved: Bool { rearrangement.map { !$0.copy(orders: orders).isIdentity } ?? false }

  /// What the part is made of, without what is added to it.
  ///
  /// - Throws: `badData` if what is added has another size.
  fileprivate func cut(of tensors: [RelatedTensor]) throws(NetconvError) -> RelatedTensor {
    guard let source else { preconditionFailure("zeros are made of nothing") }
    let cut = sourceSections.reduce(tensors[source]) { $0.section($1) }
    if let addend, tensors[addend].count != cut.count {
      throw .otherCount(tensors[addend].count, expected: cut.count)
    }
    return cut
  }

  /// The values of the part, in the order of the tensor that it is a part of.
  ///
  /// - Throws: what reading the values throws; `badData` if the tensors do not fit, or there is too little memory.
  func values(of tensors: [RelatedTensor]) throws(NetconvError) -> [Float] {
    guard source != nil else { return [] }
    let cut = try cut(of: tensors)
    // As they are read, with what is added, and moved.
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

  /// The values at `range` of a part that is not moved.
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
  /// Does it to some values of an array of the shape `shape`.
  ///
  /// - Parameters:
  ///   - start: the place of the first of them.
  ///   - count: the values of the whole array.
  fileprivate func applied(
    to values: [Float], from start: Int, of count: Int, shape: [Int], _ tensors: [RelatedTensor]
  ) throws(NetconvError) -> [Float] {
    switch self {
    case .exact: return values
    case .rounded, .truncated: return values.map { Float(bitPattern: apply(to: $0.bitPattern)) }
    case .negated: return values.map { -$0 }
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
  /// `gamma / sqrt(variance + epsilon)`.
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
