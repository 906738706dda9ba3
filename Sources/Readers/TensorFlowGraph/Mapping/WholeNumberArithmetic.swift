import ModelIR

/// What operations do to whole numbers that they do not do to the numbers of a model, which are real.
enum WholeNumberArithmetic {
  /// Operations whose results may not fit into a type of a few bits.
  private static let growing: Set = [
    "Add", "AddN", "AddV2", "Mul", "Neg", "Pow", "Prod", "Square", "SquaredDifference", "Sub",
    "Sum",
  ]

  /// Checks that an operation computes with what is fed as real numbers do.
  ///
  /// - Throws: `badData` if it cuts off fractions, or may wrap around.
  static func check(_ node: MappedNode) throws(NetconvError) {
    guard node.inputs.contains(where: { if case .value = $0 { true } else { false } }) else {
      return
    }
    if node.operation == "Cast" {
      guard let from = node.type("SrcT"), let to = node.type("DstT"), from.isInteger,
        to.isInteger, !to.holds(from)
      else { return }
      // Numbers of things that are exact as float32 fit.
      if to == .int32 { return }
      throw .castsToNarrower(from.name, to.name)
    }
    guard let type = node.type("T"), type.isInteger else { return }
    switch node.operation {
    case "Div", "RealDiv", "Mean": throw .dividesWholeNumbers(type.name)
    case let operation where growing.contains(operation) && type.isNarrow:
      throw .wrapsAround(type.name)
    default: return
    }
  }
}

extension TensorFlowType {
  /// The name, as `int32`.
  var name: String { self == .bool ? "bool" : storedType?.rawValue ?? "\(rawValue)" }

  /// Whether each value of another type is one of this too; not of types that are not of whole numbers.
  func holds(_ other: TensorFlowType) -> Bool {
    guard let range = exponents, let needed = other.exponents else { return false }
    return range.lowerBound <= needed.lowerBound && needed.upperBound <= range.upperBound
  }

  /// Whether sums of a few values may not fit.
  var isNarrow: Bool { isInteger && (storedType?.byteCount ?? 8) < 4 }

  /// The least and the largest value; `nil` of types that are not of whole numbers.
  var wholeNumbers: ClosedRange<Double>? {
    exponents.map { range in
      if self == .bool { return 0...1 }
      let largest = Double(sign: .plus, exponent: range.upperBound, significand: 1)
      return
        (range.lowerBound == 0 ? 0 : -largest)...(range.upperBound < 53 ? largest - 1 : largest)
    }
  }

  /// How many bits values have below and above 0; `nil` of types that are not of whole numbers.
  fileprivate var exponents: ClosedRange<Int>? {
    guard isInteger, let type = storedType else { return nil }
    if self == .bool { return 0...1 }
    let bits = 8 * type.byteCount
    return type.rawValue.hasPrefix("u") ? 0...bits : -(bits - 1)...bits - 1
  }
}
