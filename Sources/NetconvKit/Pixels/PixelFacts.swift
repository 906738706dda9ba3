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
  /// That value.
  let firstNotFiniteValue: Float?
  /// Values that are not finite.
  let notFinite: Int

  /// The facts of values that were stored as `type`.
  init(_ values: some Collection<Float>, _ type: ElementType) {
    var finding = Finding()
    finding.add(values, from: 0)
    self.init(finding, type)
  }

  /// The facts of an array.
  ///
  /// - Throws: `inputOutput` if it is in a file that cannot be read.
  init(_ array: SampleArray) throws(NetconvError) {
    var finding = Finding()
    if let bytes = array.bytes {
      var seen = [Bool](repeating: false, count: 256)
      for byte in bytes { seen[Int(byte)] = true }
      finding.add(seen.indices.filter { seen[$0] }.map { Float($0) }, from: 0)
    } else {
      try array.forEachPiece { first, values in finding.add(values, from: first) }
    }
    self.init(finding, array.elementType)
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

  private init(_ finding: Finding, _ type: ElementType) {
    let isEmpty = finding.smallest > finding.largest
    self.type = type
    smallest = isEmpty ? 0 : finding.smallest
    largest = isEmpty ? 0 : finding.largest
    firstNotFinite = finding.firstNotFinite
    firstNotFiniteValue = finding.firstNotFiniteValue
    notFinite = finding.notFinite
  }

  /// What is known after some of the values.
  private struct Finding {
    var (smallest, largest) = (Float.infinity, -Float.infinity)
    var firstNotFinite: Int?
    var firstNotFiniteValue: Float?
    var notFinite = 0

    /// Takes in values, the first of which is number `start` of all.
    mutating func add(_ values: some Collection<Float>, from start: Int) {
      for (index, value) in values.enumerated() {
        guard value.isFinite else {
          if notFinite == 0 { (firstNotFinite, firstNotFiniteValue) = (start + index, value) }
          notFinite += 1
          continue
        }
        if value < smallest { smallest = value }
        if value > largest { largest = value }
      }
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
