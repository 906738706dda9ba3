import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An element-wise function that is not an activation: a root, a logarithm, a sine, a rounding.
public struct Elementwise: Operator {
  /// The operator's name in documents.
  public static let name = "Elementwise"

  /// A function of one value.
  public enum Function: String, Sendable, Codable, CaseIterable {
    /// The absolute value.
    case absolute
    /// The arc cosine in radians.
    case arcCosine
    /// The arc sine in radians.
    case arcSine
    /// The arc tangent in radians.
    case arcTangent
    /// The smallest integer not less than x.
    case ceiling
    /// The cosine of an angle in radians.
    case cosine
    /// 2/√π times the integral of exp(-t²) from 0.
    case errorFunction
    /// One minus the error function.
    case complementaryErrorFunction
    /// exp(x) - 1, accurate near 0.
    case exponentialMinusOne
    /// The largest integer not greater than x.
    case floor
    /// The hyperbolic cosine.
    case hyperbolicCosine
    /// The hyperbolic sine.
    case hyperbolicSine
    /// The inverse hyperbolic cosine, not negative.
    case inverseHyperbolicCosine
    /// The inverse hyperbolic sine.
    case inverseHyperbolicSine
    /// The inverse hyperbolic tangent.
    case inverseHyperbolicTangent
    /// The natural logarithm.
    case logarithm
    /// log(1 + x), accurate near 0.
    case logarithmOfOnePlus
    /// 1 for 0, which is false, and 0 for any other value.
    case not
    /// x raised to the power of an exponent.
    case power
    /// The reciprocal.
    case reciprocal
    /// The reciprocal of the square root.
    case reciprocalSquareRoot
    /// The nearest integer, ties to even.
    case round
    /// 1 for positive values, -1 for negative values, and 0 for 0.
    case sign
    /// The sine of an angle in radians.
    case sine
    /// The square root.
    case squareRoot
    /// The tangent of an angle in radians.
    case tangent
    /// The integer part.
    case truncate
  }

  /// The function to apply.
  public let function: Function
  /// The exponent of a power; `nil` for other functions.
  public let exponent: Double?

  /// Creates an element-wise function other than a power.
  public init(_ function: Function) {
    self.function = function
    exponent = function == .power ? 1 : nil
  }

  /// Creates a power with the given exponent.
  public init(power exponent: Double) {
    function = .power
    self.exponent = exponent
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case function
    case exponent
  }

  /// Decodes the attributes; only a power has an exponent.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    function = try attributes.decode(Function.self, forKey: .function)
    if function == .power {
      exponent = try attributes.decode(Double.self, forKey: .exponent)
    } else {
      exponent = nil
      if attributes.contains(.exponent) {
        throw DecodingError.dataCorruptedError(
          forKey: .exponent, in: attributes,
          debugDescription: "\(function.rawValue) has no exponent; only power has one")
      }
    }
  }

  /// Values keep their indices.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }

  /// Each value is processed independently.
  public var orderDependence: OrderDependence { .none }

  /// True for roundings, signs and truth values.
  public var hasSteps: Bool {
    switch function {
    case .ceiling, .floor, .not, .round, .sign, .truncate: true
    default: false
    }
  }

  /// Values are replaced by the function's values.
  public var valueEffect: ValueEffect { .computed }

  /// One input value per output value.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// Returns the shape of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape { inputs[0] }

  /// y = f(x).
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    NDArray(shape: inputs[0].shape, values: inputs[0].values.map { self($0) })
  }

  /// Returns the function's value in Double.
  public func callAsFunction(_ x: Double) -> Double {
    switch function {
    case .absolute: abs(x)
    case .arcCosine: acos(x)
    case .arcSine: asin(x)
    case .arcTangent: atan(x)
    case .ceiling: x.rounded(.up)
    case .cosine: cos(x)
    case .errorFunction: erf(x)
    case .complementaryErrorFunction: erfc(x)
    case .exponentialMinusOne: expm1(x)
    case .floor: x.rounded(.down)
    case .hyperbolicCosine: cosh(x)
    case .hyperbolicSine: sinh(x)
    case .inverseHyperbolicCosine: acosh(x)
    case .inverseHyperbolicSine: asinh(x)
    case .inverseHyperbolicTangent: atanh(x)
    case .logarithm: log(x)
    case .logarithmOfOnePlus: log1p(x)
    case .not: x == 0 ? 1 : 0
    case .power: pow(x, exponent ?? 1)
    case .reciprocal: 1 / x
    case .reciprocalSquareRoot: 1 / x.squareRoot()
    case .round: x.rounded(.toNearestOrEven)
    case .sign: x > 0 ? 1 : x < 0 ? -1 : x
    case .sine: sin(x)
    case .squareRoot: x.squareRoot()
    case .tangent: tan(x)
    case .truncate: x.rounded(.towardZero)
    }
  }
}
