import Foundation
import ModelIR
import Relations

/// An array in row-major order, rearranged by the simplest possible code, as a reference.
struct TestArray {
  var shape: [Int]
  var values: [Float]

  /// Values that are all different, and look like weights.
  init(_ shape: [Int], seed: UInt64 = 1) {
    self.shape = shape
    var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
    values = (0..<shape.reduce(1, *)).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (Float(state >> 40) / Float(1 << 24) - 0.5) * 0.2
    }
  }

  init(_ shape: [Int], _ values: [Float]) {
    self.shape = shape
    self.values = values
  }

  private func index(_ place: Int) -> [Int] {
    var rest = place
    return Array(
      shape.reversed().map { size in
        defer { rest /= size }
        return rest % size
      }.reversed())
  }

  private subscript(_ index: [Int]) -> Float {
    values[zip(shape, index).reduce(0) { $0 * $1.0 + $1.1 }]
  }

  /// An array of the shape `shape` whose value at an index is this one's at `source(index)`.
  func gathered(_ shape: [Int], _ source: ([Int]) -> [Int]) -> TestArray {
    var result = TestArray(shape, [Float](repeating: 0, count: shape.reduce(1, *)))
    for place in result.values.indices { result.values[place] = self[source(result.index(place))] }
    return result
  }

  /// The axis number `axes[k]` of this array as axis k.
  func transposed(_ axes: [Int]) -> TestArray {
    gathered(axes.map { shape[$0] }) { index in
      var source = index
      for (place, axis) in axes.enumerated() { source[axis] = index[place] }
      return source
    }
  }

  func reversed(_ axes: Set<Int>) -> TestArray {
    gathered(shape) { index in
      index.indices.map { axes.contains($0) ? shape[$0] - 1 - index[$0] : index[$0] }
    }
  }

  func reshaped(_ shape: [Int]) -> TestArray { TestArray(shape, values) }

  /// The slices at the indices `places` of an axis, in that order.
  func taking(_ places: [Int], of axis: Int) -> TestArray {
    var shape = shape
    shape[axis] = places.count
    return gathered(shape) { index in
      index.indices.map { $0 == axis ? places[index[$0]] : index[$0] }
    }
  }

  static func joined(_ arrays: [TestArray], along axis: Int) -> TestArray {
    var starts: [(array: TestArray, start: Int)] = []
    var size = 0
    for array in arrays {
      starts.append((array, size))
      size += array.shape[axis]
    }
    var shape = arrays[0].shape
    shape[axis] = size
    var result = TestArray(shape, [Float](repeating: 0, count: shape.reduce(1, *)))
    for place in result.values.indices {
      var index = result.index(place)
      guard let (array, start) = starts.last(where: { $0.start <= index[axis] }) else { continue }
      index[axis] -= start
      result.values[place] = array[index]
    }
    return result
  }

  func mapped(_ transform: (Float) -> Float) -> TestArray {
    TestArray(shape, values.map(transform))
  }

  func tensor(_ name: String, _ type: ElementType = .float32) -> RelatedTensor {
    RelatedTensor(name: name, shape: shape, source: TypedArray(elementType: type, values: values))
  }
}

/// Float values with another stated element type.
private struct TypedArray: TensorSource {
  let elementType: ElementType
  let values: [Float]
  var count: Int { values.count }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    _ = values.update(fromContentsOf: self.values[range])
  }
}

/// The tensor that a relation describes, computed by the simplest possible code; `nil` without a relation.
func made(_ outcome: Relation.Outcome, of a: [TestArray], _ shape: [Int]) -> TestArray? {
  guard case .related(let parts) = outcome else { return nil }
  let pieces = parts.map { part -> TestArray in
    var partShape = shape
    for section in part.target { partShape[section.axis] = section.count }
    guard let source = part.source else {
      return TestArray(partShape, [Float](repeating: 0, count: partShape.reduce(1, *)))
    }
    var array = a[source]
    if let addend = part.addend {
      array = TestArray(array.shape, zip(array.values, a[addend].values).map { $0 + $1 })
    }
    for section in part.sourceSections {
      array = array.taking(section.indices, of: section.axis)
    }
    guard let rearrangement = part.rearrangement else { return array }
    // Every axis by itself, moved by name.
    let (from, to) = (rearrangement.source.axes, rearrangement.target.axes)
    array = array.reshaped(from.map { rearrangement.sizes[$0] ?? 1 })
    array = array.transposed(to.compactMap { from.firstIndex(of: $0) })
    array = array.reversed(Set(to.indices.filter { rearrangement.reversed.contains(to[$0]) }))
    for (axis, order) in part.orders {
      if let place = to.firstIndex(of: axis) { array = array.taking(order, of: place) }
    }
    array = array.reshaped(partShape)
    return switch part.likeness {
    case .exact: array
    case .negated: array.mapped { -$0 }
    case .scaled, .folded, .quantized: array
    case .negatedExponential: array.mapped { -Float(Foundation.exp(Double($0))) }
    case .shifted(let number): array.mapped { Float(Double($0) + number) }
    case .rounded(.bfloat16): array.mapped { BFloat16.float(from: BFloat16.bits(from: $0)) }
    case .truncated(.bfloat16):
      array.mapped { Float(bitPattern: $0.bitPattern & 0xffff_0000) }
    case .truncated: array.mapped { Float(bitPattern: $0.bitPattern & 0xffff_e000) }
    case .rounded: array.mapped { Half.float(from: Half.bits(from: $0)) }
    }
  }
  var result = TestArray(shape, [Float](repeating: .nan, count: shape.reduce(1, *)))
  for (part, piece) in zip(parts, pieces) { result.place(piece, at: part.target) }
  return result
}

extension TestArray {
  /// Puts an array into a section of this one.
  fileprivate mutating func place(_ piece: TestArray, at sections: [RelatedPart.Section]) {
    for (number, value) in piece.values.enumerated() {
      var index = piece.index(number)
      for section in sections { index[section.axis] = section.indices[index[section.axis]] }
      values[zip(shape, index).reduce(0) { $0 * $1.0 + $1.1 }] = value
    }
  }
}

extension RelatedPart.Section {
  fileprivate var indices: [Int] {
    Array(stride(from: range.lowerBound, to: range.upperBound, by: step))
  }
}
