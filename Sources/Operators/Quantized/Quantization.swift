import ModelIR

/// A mapping between numbers and integers of 8 or 16 bits: number = scale · (integer - zero point).
public struct Quantization: Sendable, Equatable, Codable {
  /// The type of the integers.
  public let type: ElementType
  /// The distance of two neighbouring numbers.
  public let scale: Float
  /// The integer that stands for 0.
  public let zeroPoint: Int

  /// The types that values may have.
  public static let types: [ElementType] = [.int8, .uint8, .int16]

  /// Creates a mapping.
  ///
  /// - Throws: `badData` unless the scale is positive, and the zero point has the type.
  public init(type: ElementType, scale: Float, zeroPoint: Int) throws(NetconvError) {
    (self.type, self.scale, self.zeroPoint) = (type, scale, zeroPoint)
    guard Self.types.contains(type) else { throw .noQuantizedType(type.rawValue) }
    guard scale.isNormal, scale > 0 else { throw .unusableScale(scale) }
    guard range.contains(zeroPoint) else { throw .zeroPointOutOfRange(zeroPoint, type) }
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case type
    case scale
    case zeroPoint
  }

  /// Decodes the name of the type and two numbers.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    let name = try attributes.decode(String.self, forKey: .type)
    guard let type = ElementType(rawValue: name) else { throw NetconvError.noQuantizedType(name) }
    try self.init(
      type: type, scale: Float(attributes.decode(Double.self, forKey: .scale)),
      zeroPoint: attributes.decode(Int.self, forKey: .zeroPoint))
  }

  /// Encodes the name of the type and two numbers.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(type.rawValue, forKey: .type)
    try container.encode(Double(scale), forKey: .scale)
    try container.encode(zeroPoint, forKey: .zeroPoint)
  }

  /// The integers of the type.
  public var range: ClosedRange<Int> {
    switch type {
    case .uint8: 0...255
    case .int16: -32768...32767
    default: -128...127
    }
  }

  /// Returns the number that an integer stands for, rounded to float32 once.
  public func number(_ integer: Int) -> Float {
    Float(Double(scale) * Double(integer - zeroPoint))
  }

  /// Returns the integer of the nearest number.
  ///
  /// Source: tensorflow/lite/kernels/internal/reference/quantize.h.
  func nearest(_ x: Float) -> Int {
    let quotient = (x / scale).rounded(.toNearestOrAwayFromZero)
    // Quotients beyond the range may exceed what an integer can hold.
    return (Int(max(-0x1p40, min(0x1p40, quotient))) + zeroPoint).clamped(to: range)
  }

  /// Returns the integers of numbers that are multiples of the scale.
  ///
  /// A number may be off by a quarter of the scale, which is more than its rounding to float32 moves it.
  /// - Throws: `badData` if a number is further from its multiple, or its integer is out of range.
  func integers(_ numbers: [Double]) throws(NetconvError) -> [Int] {
    var integers = [Int](repeating: 0, count: numbers.count)
    for index in numbers.indices { integers[index] = try integer(numbers[index]) }
    return integers
  }

  /// Returns the integer of a number that is a multiple of the scale.
  ///
  /// - Throws: as ``integers(_:)``.
  @inline(__always)
  func integer(_ number: Double) throws(NetconvError) -> Int {
    let quotient = number / Double(scale)
    let nearest = quotient.rounded()
    guard abs(quotient - nearest) <= 0.25, abs(nearest) <= 0x1p17 else {
      throw .noMultiple(number, Double(scale))
    }
    let integer = Int(nearest) + zeroPoint
    guard range.contains(integer) else { throw .noMultiple(number, Double(scale)) }
    return integer
  }
}

extension Int {
  /// The nearest integer of a range.
  func clamped(to range: ClosedRange<Int>) -> Int {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }

  /// The quotient, rounded half away from zero.
  func roundedQuotient(_ divisor: Int) -> Int {
    (self > 0 ? self + divisor / 2 : self - divisor / 2) / divisor
  }
}

extension NetconvError {
  fileprivate static func noQuantizedType(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "quantised values have the type \(quoted(name)), expected "
        + Quantization.types.map(\.rawValue).joined(separator: ", "))
  }

  fileprivate static func unusableScale(_ scale: Float) -> NetconvError {
    NetconvError(.badData, "the scale is \(scale), expected a positive number")
  }

  fileprivate static func zeroPointOutOfRange(_ zeroPoint: Int, _ type: ElementType) -> NetconvError
  {
    NetconvError(.badData, "the zero point is \(zeroPoint), which no \(type.rawValue) is")
  }

  fileprivate static func noMultiple(_ number: Double, _ scale: Double) -> NetconvError {
    NetconvError(
      .badData,
      "\(number) is not one of the numbers that the integers of a quantised layer stand for, which are "
        + "multiples of \(scale)")
  }
}
