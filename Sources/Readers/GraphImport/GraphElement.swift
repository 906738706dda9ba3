import ModelIR

/// The element type of a value in a graph.
enum GraphElement: Hashable, Sendable {
  case number(ElementType)
  /// Booleans.
  case truth

  static let float32 = GraphElement.number(.float32)
  static let int32 = GraphElement.number(.int32)

  /// The element type in which a computed value is stored.
  var storedType: ElementType {
    switch self {
    case .number(let type): type
    case .truth: .uint8
    }
  }

  /// The name, such as `int32`.
  var name: String {
    switch self {
    case .number(let type): type.rawValue
    case .truth: "bool"
    }
  }

  /// True for integers and truth values.
  var isInteger: Bool { exponents != nil }

  /// True if sums of a few values may overflow.
  var isNarrow: Bool { isInteger && storedType.byteCount < 4 }

  /// True if this integer type can represent every value of the other; false for real types.
  func holds(_ other: GraphElement) -> Bool {
    guard let range = exponents, let needed = other.exponents else { return false }
    return range.lowerBound <= needed.lowerBound && needed.upperBound <= range.upperBound
  }

  /// Checks that a cast between integer types cannot change values.
  ///
  /// Casts to int32 pass: it holds every count that is exact in float32.
  ///
  /// - Throws: `badData` if values may wrap around.
  func checkCast(to target: GraphElement) throws(NetconvError) {
    guard isInteger, target.isInteger, target != .truth, !target.holds(self), target != .int32
    else { return }
    throw .castsToNarrower(name, target.name)
  }

  /// The smallest and largest value; `nil` for real types.
  var integers: ClosedRange<Double>? {
    exponents.map { range in
      if self == .truth { return 0...1 }
      let largest = Double(sign: .plus, exponent: range.upperBound, significand: 1)
      return
        (range.lowerBound == 0 ? 0 : -largest)...(range.upperBound < 53 ? largest - 1 : largest)
    }
  }

  /// The exponents of the range below and above 0; `nil` for real types.
  private var exponents: ClosedRange<Int>? {
    guard case .number(let type) = self else { return 0...1 }
    let bits = 8 * type.byteCount
    switch type {
    case .float16, .bfloat16, .float32, .float64: return nil
    case .uint8, .uint16, .uint32, .uint64: return 0...bits
    case .int8, .int16, .int32, .int64: return -(bits - 1)...bits - 1
    }
  }
}

extension NetconvError {
  fileprivate static func castsToNarrower(_ from: String, _ to: String) -> NetconvError {
    NetconvError(
      .badData, "makes \(to) of \(from), where what does not fit wraps around, which is not read")
  }
}
