import ModelIR
import Synchronization

/// The values of a tensor that is made of others as relations say.
package struct MadeSource: GatheringSource {
  /// How the values are to be stored.
  package let elementType: ElementType
  private let shape: [Int]
  private let parts: [RelatedPart]
  private let tensors: [RelatedTensor]
  private let cache: MadeValues
  private let id: Int

  /// The number of values.
  package var count: Int { shape.reduce(1, *) }

  /// A tensor of the shape `shape`, made of `parts` of `tensors`.
  ///
  /// - Parameters:
  ///   - cache: shared by the tensors of a network, of which few are made at a time.
  ///   - id: which of them it is.
  package init(
    _ parts: [RelatedPart], of tensors: [RelatedTensor], shape: [Int], elementType: ElementType,
    cache: MadeValues, id: Int
  ) {
    self.elementType = elementType
    self.shape = shape
    self.parts = parts
    self.tensors = tensors
    self.cache = cache
    self.id = id
  }

  package func gather<Value: StreamedValue>(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Value>
  ) throws(NetconvError) {
    let made = try cache.values(id) { () throws(NetconvError) in try all() }
    for (index, value) in made[range].enumerated() { values[index] = Value(value) }
  }

  /// All values.
  private func all() throws(NetconvError) -> [Float] {
    var values = [Float](repeating: 0, count: count)
    for part in parts {
      guard part.source != nil else { continue }
      let made = try part.values(of: tensors)
      let places = SectionPlaces(part.target, of: shape)
      guard places.count == made.count else {
        throw .otherCount(made.count, expected: places.count)
      }
      for (index, value) in made.enumerated() { values[places.sourceIndex(of: index)] = value }
    }
    return values
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
}

/// The values of tensors that were made lately.
package final class MadeValues: Sendable {
  private let made = Mutex<[(id: Int, values: [Float])]>([])

  /// Threads work on so many tensors at a time.
  private static let mostTensors = 4

  /// None yet.
  package init() {}

  func values(
    _ id: Int, _ make: () throws(NetconvError) -> [Float]
  ) throws(NetconvError) -> [Float] {
    if let known = made.withLock({ $0.first { $0.id == id } }) { return known.values }
    let values = try make()
    made.withLock { all in
      if all.count == Self.mostTensors { all.removeFirst() }
      all.append((id, values))
    }
    return values
  }
}

extension RelatedPart {
  /// The values of the part, in the order of the tensor that it is a part of.
  ///
  /// - Throws: what reading the values throws; `badData` if the tensors do not fit.
  func values(of tensors: [RelatedTensor]) throws(NetconvError) -> [Float] {
    guard let source else { return [] }
    let cut = sourceSections.reduce(tensors[source]) { $0.section($1) }
    var values: [Float] = try cut.source.values(0..<cut.count)
    if let addend {
      let others: [Float] = try tensors[addend].source.values(0..<tensors[addend].count)
      guard others.count == values.count else {
        throw .otherCount(others.count, expected: values.count)
      }
      for index in values.indices { values[index] += others[index] }
    }
    if let copy = rearrangement?.copy(orders: orders), !copy.isIdentity {
      guard copy.count == values.count else {
        throw .otherCount(values.count, expected: copy.count)
      }
      values = copy.applied(to: values)
    }
    return try likeness.applied(to: values, shape: shape(of: cut), tensors)
  }

  private func shape(of tensor: RelatedTensor) -> [Int] {
    guard let rearrangement else { return tensor.shape }
    return (try? rearrangement.target.shape(rearrangement.sizes)) ?? tensor.shape
  }
}

extension Likeness {
  /// Does it to the values of an array of the shape `shape`.
  fileprivate func applied(
    to values: [Float], shape: [Int], _ tensors: [RelatedTensor]
  ) throws(NetconvError) -> [Float] {
    switch self {
    case .exact, .rounded: return values.map { Float(bitPattern: apply(to: $0.bitPattern)) }
    case .negated: return values.map { -$0 }
    case .scaled(let scale):
      let factors = try scale.normalization?.factors(tensors) ?? scale.values
      guard let axis = scale.axis else { return values.map { Float(Double($0) * factors[0]) } }
      guard shape.indices.contains(axis), factors.count == shape[axis] else {
        throw .otherCount(factors.count, expected: shape.indices.contains(axis) ? shape[axis] : 0)
      }
      let stride = rowMajorStrides(of: shape)[axis]
      return values.indices.map { Float(Double(values[$0]) * factors[$0 / stride % factors.count]) }
    case .folded(let folded):
      let vector = { (index: Int) throws(NetconvError) -> [Float] in
        let vector: [Float] = try tensors[index].source.values(0..<tensors[index].count)
        guard vector.count == values.count else {
          throw .otherCount(vector.count, expected: values.count)
        }
        return vector
      }
      let mean = try vector(folded.mean)
      let bias = try folded.bias.map(vector)
      guard let factors = try folded.normalization?.factors(tensors), factors.count == values.count
      else { throw .otherCount(0, expected: values.count) }
      return values.indices.map { index in
        let offset = Double(bias?[index] ?? 0) - Double(mean[index])
        return Float(Double(values[index]) + offset * factors[index])
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
