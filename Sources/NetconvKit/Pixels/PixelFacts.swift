import Datasets
import ModelIR
import ValueSums

/// What the values of images say about what was done to them.
struct PixelFacts: Sendable {
  /// How they were stored.
  let type: ElementType
  /// The smallest value that is finite; 0 if there is none.
  let smallest: Float
  /// The largest value that is finite; 0 if there is none.
  let largest: Float
  /// Where the first value is that is not finite.
  let firstNotFinite: Int?
  /// That value.
  let firstNotFiniteValue: Float?
  /// Values that are not finite.
  let notFinite: Int

  /// The facts of values that were stored as `type`.
  init(_ values: [Float], _ type: ElementType) {
    var range = FiniteRange()
    values.withUnsafeBufferPointer { range.add($0, from: 0) }
    self.init(range, type)
  }

  /// The facts of an array.
  ///
  /// - Throws: `inputOutput` if it is in a file that cannot be read.
  init(_ array: SampleArray) throws(NetconvError) {
    if let range = array.bytes?.withUnsafeBufferPointer(byteRange) {
      self.init([Float(range.lowerBound), Float(range.upperBound)], array.elementType)
    } else {
      var range = FiniteRange()
      try array.forEachPiece { first, values in range.add(values, from: first) }
      self.init(range, array.elementType)
    }
  }

  /// The facts of images.
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
  /// What is known of the values of pictures before they are read.
  static let bytes = PixelFacts([0, 255], .uint8)
}

extension ElementType {
  /// Whether values are whole numbers.
  var isInteger: Bool {
    switch self {
    case .float16, .bfloat16, .float32, .float64: false
    case .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64: true
    }
  }
}
