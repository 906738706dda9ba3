import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A function of two values at the same index: a comparison, a power, a remainder.
///
/// Truth values are 1 and 0; any other number but 0 is true. Along an axis where an input has the size 1, its values
/// are repeated.
public struct Pairwise: Operator {
  /// The name in documents.
  public static let name = "Pairwise"

  /// A function of two values, the first input's and the second's.
  public enum Function: String, Sendable, Codable, CaseIterable {
    /// Whether both are true.
    case and
    /// Whether they are the same number.
    case equal
    /// The largest integer that is not above their quotient.
    case floorQuotient
    /// Whether the first is larger.
    case greater
    /// Whether the first is not smaller.
    case greaterOrEqual
    /// Whether the first is smaller.
    case less
    /// Whether the first is not larger.
    case lessOrEqual
    /// What a division leaves, with the sign of the divisor.
    case modulo
    /// Whether they differ.
    case notEqual
    /// Whether one of them is true.
    case or
    /// The first to the power of the second.
    case power
    /// What a division leaves, with the sign of the dividend.
    case remainder
  }

  /// The function of the two values.
  public let function: Function

  /// A function of two values.
  public init(_ function: Function) { self.function = function }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case function
  }

  /// Reads the attributes.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(try attributes.decode(Function.self, forKey: .function))
  }

  /// Two.
  public var inputCount: ClosedRange<Int> { 2...2 }

  /// Values of two inputs become one, at their own index; of a vector that is repeated, there is no such index.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { pointFlow(of: inputs) }

  /// A value is combined with the one at its own index.
  public var orderDependence: OrderDependence { .none }

  /// All functions but the power have steps.
  public var hasSteps: Bool { function != .power }

  /// They are combined.
  public var valueEffect: ValueEffect { .computed }

  /// One value of each input.
  public func fanIn(of inputs: [[Int]]) -> Int { 2 }

  /// The largest size along each axis; others are 1.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    try broadcastShape(of: inputs)
  }

  /// y = f(x₀, x₁), value by value.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    try broadcast(inputs) { function($0[0], $0[1]) }
  }
}

extension Pairwise.Function {
  /// The function of two values, in Double.
  package func callAsFunction(_ a: Double, _ b: Double) -> Double {
    switch self {
    case .and: a != 0 && b != 0 ? 1 : 0
    case .equal: a == b ? 1 : 0
    case .floorQuotient: (a / b).rounded(.down)
    case .greater: a > b ? 1 : 0
    case .greaterOrEqual: a >= b ? 1 : 0
    case .less: a < b ? 1 : 0
    case .lessOrEqual: a <= b ? 1 : 0
    case .modulo: modulo(a, b)
    case .notEqual: a != b ? 1 : 0
    case .or: a != 0 || b != 0 ? 1 : 0
    case .power: pow(a, b)
    case .remainder: fmod(a, b)
    }
  }

  /// A remainder is exact, where a difference from a rounded quotient's multiple is not.
  private func modulo(_ a: Double, _ b: Double) -> Double {
    let rest = fmod(a, b)
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest
  }
}
