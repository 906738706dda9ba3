import ModelIR
import Operators

/// A function of two numbers as C: an expression of `a` and `b`.
private struct CPairFunction {
  let name: String
  let expression: String
  var uses: [CFunction] = []
  /// True if the operands may change places.
  var isSymmetric = false

  var definition: CFunction {
    CFunction(
      name, uses: uses,
      """
      static void \(name)(const float *first, const float *second, int count, float *out)
      {
          for (int i = 0; i < count; i++) {
              const float a = first[i], b = second[i];
              out[i] = \(expression);
          }
      }
      """)
  }
}

extension CStep {
  /// A step that combines its inputs one after the other, with those that are smaller broadcast.
  ///
  /// - Parameter last: statements that follow.
  fileprivate static func combining(
    _ layer: CLayer, _ function: CPairFunction, then last: CPass? = nil
  ) -> CStep {
    let (shape, count) = (layer.output, layer.outputCount)
    let whole = layer.inputs.map { $0 == shape }
    // A broadcast operand is first copied: into the output if that is still free, otherwise beside it.
    let needsScratch = layer.inputs.count > 2 ? whole.contains(false) : whole == [false, false]
    let copies = whole.contains(false) ? [CFunction.copyStrided] : []
    let isPlain = !whole[..<2].contains(false)
    let step = CStep(
      copies + [function.definition], scratch: needsScratch ? count : 0,
      inPlace: isPlain ? [0, 1] : []
    ) { places in
      func expanded(_ index: Int, to address: String) -> [String] {
        CStrides(of: layer.inputs[index], broadcastTo: shape).copy(
          places.inputs[index], to: address)
      }
      func call(_ first: String, _ second: String) -> String {
        "\(function.name)(\(first), \(second), \(count), \(places.output));"
      }
      var lines: [String] = []
      var operands = Array(places.inputs.prefix(2))
      if !whole[0] {
        lines += expanded(0, to: places.output)
        operands[0] = places.output
      }
      if !whole[1] {
        operands[1] = whole[0] ? places.output : places.scratch
        lines += expanded(1, to: operands[1])
      }
      lines.append(call(operands[0], operands[1]))
      for index in places.inputs.indices.dropFirst(2) {
        let operand = whole[index] ? places.inputs[index] : places.scratch
        lines += whole[index] ? [] : expanded(index, to: places.scratch)
        lines.append(call(places.output, operand))
      }
      return lines
    }
    return step.followed(by: last)
  }
}

extension COperator where Self: MergeOperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let function: CPairFunction =
      switch Self.combination {
      case .sum, .mean: .init(name: "add_values", expression: "a + b")
      case .difference: .init(name: "subtract_values", expression: "a - b")
      case .quotient: .init(name: "divide_values", expression: "a / b")
      case .product: .init(name: "multiply_values", expression: "a * b")
      case .largest:
        .init(name: "take_larger", expression: "larger_of(a, b)", uses: [.larger])
      case .smallest:
        .init(name: "take_smaller", expression: "smaller_of(a, b)", uses: [.smaller])
      }
    guard case .mean = Self.combination else { return .combining(layer, function) }
    let divide = CScalarFunction(
      name: "divide_by", expression: "v / divisor",
      settings: [("divisor", Double(layer.inputs.count))])
    return .combining(layer, function, then: divide.pass(layer.outputCount))
  }
}

extension Add: COperator {}
extension Average: COperator {}
extension Divide: COperator {}
extension Maximum: COperator {}
extension Minimum: COperator {}
extension Multiply: COperator {}
extension Subtract: COperator {}

extension ScaledAdd: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let count = layer.outputCount
    let function = CFunction(
      "add_scaled",
      """
      static void add_scaled(
          const float *first, const float *second, float scale, int count, float *out)
      {
          for (int i = 0; i < count; i++) out[i] = first[i] + scale * second[i];
      }
      """)
    return CStep([function], inPlace: [0, 1]) { places in
      [
        "add_scaled(\(places.inputs[0]), \(places.inputs[1]), \(CText.literal(scale)), \(count), \(places.output));"
      ]
    }
  }
}

extension Pairwise: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    .combining(layer, scalar)
  }

  private var scalar: CPairFunction {
    func truth(_ name: String, _ condition: String) -> CPairFunction {
      CPairFunction(name: name, expression: "\(condition) ? 1.0f : 0.0f")
    }
    return switch function {
    case .and: truth("both_true", "a != 0.0f && b != 0.0f")
    case .equal: truth("are_equal", "a == b")
    case .floorQuotient: .init(name: "floor_quotients", expression: "floorf(a / b)")
    case .greater: truth("are_greater", "a > b")
    case .greaterOrEqual: truth("are_greater_or_equal", "a >= b")
    case .less: truth("are_less", "a < b")
    case .lessOrEqual: truth("are_less_or_equal", "a <= b")
    case .modulo:
      .init(name: "take_modulo", expression: "modulo_of(a, b)", uses: [.modulo])
    case .notEqual: truth("are_different", "a != b")
    case .or: truth("either_true", "a != 0.0f || b != 0.0f")
    case .power: .init(name: "raise_to_powers", expression: "powf(a, b)")
    case .remainder: .init(name: "take_remainder", expression: "fmodf(a, b)")
    }
  }
}

extension CFunction {
  fileprivate static let modulo = CFunction(
    "modulo_of",
    """
    /* Returns the remainder of a division with the sign of the divisor. */
    static float modulo_of(float a, float b)
    {
        const float rest = fmodf(a, b);
        return rest != 0.0f && (rest < 0.0f) != (b < 0.0f) ? rest + b : rest;
    }
    """)
}

extension Where: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let (shape, count) = (layer.output, layer.outputCount)
    let function = CFunction(
      "choose",
      """
      /* The first value where the condition is not 0, otherwise the second. */
      static void choose(
          const float *condition, const float *first, const float *second, int count, float *out)
      {
          for (int i = 0; i < count; i++) out[i] = condition[i] != 0.0f ? first[i] : second[i];
      }
      """)
    let small = layer.inputs.indices.filter { layer.inputs[$0] != shape }
    return CStep(
      (small.isEmpty ? [] : [.copyStrided]) + [function], scratch: small.count * count,
      inPlace: small.isEmpty ? [0, 1, 2] : []
    ) { places in
      var operands = places.inputs
      var lines: [String] = []
      for (place, index) in small.enumerated() {
        operands[index] = places.scratch(from: place * count)
        lines += CStrides(of: layer.inputs[index], broadcastTo: shape).copy(
          places.inputs[index], to: operands[index])
      }
      return lines + ["choose(\(operands.joined(separator: ", ")), \(count), \(places.output));"]
    }
  }
}
