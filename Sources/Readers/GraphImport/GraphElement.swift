import ModelIR

/// The type of the values of a graph.
enum GraphElement: Hashable, Sendable {
  case number(ElementType)
  /// Truth values.
  case truth

  static let float32 = GraphElement.number(.float32)
  static let int32 = GraphElement.number(.int32)

  /// How a value is stored that was computed.
  var storedType: ElementType {
    switch self {
    case .number(let type): type
    case .truth: .uint8
    }
  }

  /// The name, as `int32`.
  var name: String {
    switch self {
    case .number(let type): type.rawValue
    case .truth: "bool"
    }
  }

  /// Whether values are integers or truth values.
  var isInteger: Bool { exponents != nil }

  /// Whether sums of a few values may not fit.
  var isNarrow: Bool { isInteger && storedType.byteCount < 4 }

  /// Whether each value of another type is one of this too; false for types of real numbers.
  func holds(_ other: GraphElement) -> Bool {
    guard let range = exponents, let needed = other.exponents else { return false }
    return range.lowerBound <= needed.lowerBound && needed.upperBound <= range.upperBound
  }

  /// Checks that a cast of integers changes none of them.
  ///
  /// Casts to int32 pass, as counts that are exact as float32 fit into it.
  ///
  /// - Throws: `badData` if numbers may wrap around.
  func checkCast(to target: GraphElement) throws(NetconvError) {
    guard isInteger, target.isInteger, target != .truth, !target.holds(self), target != .int32
    else { return }
    throw .castsToNarrower(name, target.name)
  }

  /// The least and the largest value; `nil` of types of real numbers.
  var integers: ClosedRange<Double>? {
    exponents.map { range in
      if self == .truth { return 0...1 }
      let largest = Double(sign: .plus, exponent: range.upperBound, significand: 1)
      return
        (range.lowerBound == 0 ? 0 : -largest)...(range.upperBound < 53 ? largest - 1 : largest)
    }
  }

  /// The bits that values have below and above 0; `nil` of types of real numbers.
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
