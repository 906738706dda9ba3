import Datasets
import ModelIR

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
  /// Values that are not finite.
  let notFinite: Int

  /// The facts of values that were stored as `type`.
  init(_ values: some Collection<Float>, _ type: ElementType) {
    var (smallest, largest) = (Float.infinity, -Float.infinity)
    var first: Int?
    var notFinite = 0
    for (index, value) in values.enumerated() {
      guard value.isFinite else {
        first = first ?? index
        notFinite += 1
        continue
      }
      if value < smallest { smallest = value }
      if value > largest { largest = value }
    }
    let isEmpty = smallest > largest
    self.type = type
    self.smallest = isEmpty ? 0 : smallest
    self.largest = isEmpty ? 0 : largest
    firstNotFinite = first
    self.notFinite = notFinite
  }

  /// The facts of images.
  init(_ images: LabeledImages) {
    switch images.pixels {
    case .floats(let values): self.init(values, images.elementType)
    case .pictures: self = .bytes
    case .bytes(let bytes):
      var seen = [Bool](repeating: false, count: 256)
      for byte in bytes { seen[Int(byte)] = true }
      self.init(seen.indices.filter { seen[$0] }.map { Float($0) }, images.elementType)
    }
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
