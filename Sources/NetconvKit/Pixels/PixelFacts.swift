import Datasets
import ModelIR
import ValueSums

/// Facts about the values of images that hint at their preprocessing.
struct PixelFacts: Sendable {
  /// The element type in which they were stored.
  let type: ElementType
  /// The smallest finite value; 0 if there is none.
  let smallest: Float
  /// The largest finite value; 0 if there is none.
  let largest: Float
  /// The index of the first value that is not finite.
  let firstNotFinite: Int?
  /// That value.
  let firstNotFiniteValue: Float?
  /// The number of values that are not finite.
  let notFinite: Int

  /// Collects the facts about values that were stored as `type`.
  init(_ values: [Float], _ type: ElementType) {
    var range = FiniteRange()
    values.withUnsafeBufferPointer { range.add($0, from: 0) }
    self.init(range, type)
  }

  /// Collects the facts about an array.
  ///
  /// - Throws: `inputOutput` if its file cannot be read.
  init(_ array: SampleArray) throws(NetconvError) {
    if let range = array.bytes?.withUnsafeBufferPointer(byteRange) {
      self.init([Float(range.lowerBound), Float(range.upperBound)], array.elementType)
    } else {
      var range = FiniteRange()
      try array.forEachPiece { first, values in range.add(values, from: first) }
      self.init(range, array.elementType)
    }
  }

  /// Collects the facts about images.
  ///
  /// - Throws: as ``init(_:)``.
  init(_ images: LabeledImages) throws(NetconvError) {
    switch images.pixels {
    case .array(let array): try self.init(array)
    case .pictures: self = .bytes
    }
  }

  private init(_ range: FiniteRange, _ type: ElementType) {
    let isEmpty = range.smallest > range.largest
    self.type = type
    smallest = isEmpty ? 0 : range.smallest
    largest = isEmpty ? 0 : range.largest
    firstNotFinite = range.firstNotFinite
    firstNotFiniteValue = range.firstNotFiniteValue
    notFinite = range.notFinite
  }
}

extension PixelFacts {
  /// The facts about the values of pictures before they are read.
  static let bytes = PixelFacts([0, 255], .uint8)
}

extension ElementType {
  /// True if values are integers.
  var isInteger: Bool {
    switch self {
    case .float16, .bfloat16, .float32, .float64: false
    case .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64: true
    }
  }
}
