import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A function of each value that is no activation: a root, a logarithm, a sine, a rounding.
public struct Elementwise: Operator {
  /// The name in documents.
  public static let name = "Elementwise"

  /// A function of one value.
  public enum Function: String, Sendable, Codable, CaseIterable {
    /// The value without its sign.
    case absolute
    /// The angle whose cosine it is.
    case arcCosine
    /// The angle whose sine it is.
    case arcSine
    /// The angle whose tangent it is.
    case arcTangent
    /// The least integer that is not below it.
    case ceiling
    /// The cosine of an angle in radians.
    case cosine
    /// 2/√π times the integral of exp(-t²) from 0.
    case errorFunction
    /// One less the error function.
    case complementaryErrorFunction
    /// exp(x) - 1, exact near 0.
    case exponentialMinusOne
    /// The largest integer that is not above it.
    case floor
    /// The hyperbolic cosine.
    case hyperbolicCosine
    /// The hyperbolic sine.
    case hyperbolicSine
    /// The number whose hyperbolic cosine it is, from 0 on.
    case inverseHyperbolicCosine
    /// The number whose hyperbolic sine it is.
    case inverseHyperbolicSine
    /// The number whose hyperbolic tangent it is.
    case inverseHyperbolicTangent
    /// The natural logarithm.
    case logarithm
    /// log(1 + x), exact near 0.
    case logarithmOfOnePlus
    /// 1 of 0, which is false, and 0 of any other value.
    case not
    /// The value to the power of an exponent.
    case power
    /// One divided by it.
    case reciprocal
    /// One divided by the square root.
    case reciprocalSquareRoot
    /// The nearest integer; of two, the even one.
    case round
    /// 1 above 0, -1 below, and 0 of 0.
    case sign
    /// The sine of an angle in radians.
    case sine
    /// The square root.
    case squareRoot
    /// The tangent of an angle in radians.
    case tangent
    /// The integer part, without the fraction.
    case truncate
  }

  /// The function of each value.
  public let function: Function
  /// The exponent of a power; `nil` of other functions.
  public let exponent: Double?

  /// A function of each value, other than a power.
  public init(_ function: Function) {
    self.function = function
    exponent = function == .power ? 1 : nil
  }

  /// A power of each value.
  public init(power exponent: Double) {
    function = .power
    self.exponent = exponent
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case function
    case exponent
  }

  /// Reads the attributes; only a power has an exponent.
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

  /// Nothing moves.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }

  /// Each value is on its own.
  public var orderDependence: OrderDependence { .none }

  /// Roundings, signs and truth values have steps.
  public var hasSteps: Bool {
    switch function {
    case .ceiling, .floor, .not, .round, .sign, .truncate: true
    default: false
    }
  }

  /// A function is applied.
  public var valueEffect: ValueEffect { .computed }

  /// One.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// The shape of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape { inputs[0] }

  /// y = f(x).
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    NDArray(shape: inputs[0].shape, values: inputs[0].values.map { self($0) })
  }

  /// The function of a value, in Double.
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
