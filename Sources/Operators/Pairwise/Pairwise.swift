import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An element-wise function of two inputs: a comparison, a power, a remainder.
///
/// Truth values are 1 and 0; any other number except 0 is true. Axes of size 1 are broadcast.
public struct Pairwise: Operator {
  /// The operator's name in documents.
  public static let name = "Pairwise"

  /// A function of two values, one from each input.
  public enum Function: String, Sendable, Codable, CaseIterable {
    /// True if both are true.
    case and
    /// True if both are equal.
    case equal
    /// The largest integer not greater than the quotient.
    case floorQuotient
    /// True if the first is greater.
    case greater
    /// True if the first is not less.
    case greaterOrEqual
    /// True if the first is less.
    case less
    /// True if the first is not greater.
    case lessOrEqual
    /// The remainder with the sign of the divisor.
    case modulo
    /// True if both differ.
    case notEqual
    /// True if at least one is true.
    case or
    /// The first raised to the power of the second.
    case power
    /// The remainder with the sign of the dividend.
    case remainder
  }

  /// The function to apply.
  public let function: Function

  /// Creates an element-wise function of two inputs.
  public init(_ function: Function) { self.function = function }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case function
  }

  /// Decodes the attributes.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(try attributes.decode(Function.self, forKey: .function))
  }

  /// Two inputs.
  public var inputCount: ClosedRange<Int> { 2...2 }

  /// Values of both inputs are combined at the same index, except that a broadcast vector has no such index.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { pointFlow(of: inputs) }

  /// Each value is combined with the one at the same index.
  public var orderDependence: OrderDependence { .none }

  /// True for all functions except the power.
  public var hasSteps: Bool { function != .power }

  /// Values are combined.
  public var valueEffect: ValueEffect { .computed }

  /// One value of each input per output value.
  public func fanIn(of inputs: [[Int]]) -> Int { 2 }

  /// Returns the broadcast shape: the largest size along each axis; others must be 1.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    try broadcastShape(of: inputs)
  }

  /// y = f(x₀, x₁), element by element.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    try broadcast(inputs) { function($0[0], $0[1]) }
  }
}

extension Pairwise.Function {
  /// Returns the function's value in Double.
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

  /// Computes the remainder exactly; subtracting a multiple of the rounded quotient would not be exact.
  private func modulo(_ a: Double, _ b: Double) -> Double {
    let rest = fmod(a, b)
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest
  }
}
