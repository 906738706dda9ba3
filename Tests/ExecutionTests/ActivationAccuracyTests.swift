import Execution
import ModelIR
import Operators
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The activation functions of every level against the C library in double precision, in units in the last place.
///
/// The engines' tolerance is relative to the largest value of a result, so it does not cover small values.
@Suite struct ActivationAccuracyTests {
  /// A function, its definition in double precision, and its error bound at some x.
  private struct Case: Sendable, CustomTestStringConvertible {
    let function: ActivationFunction
    var definition: (@Sendable (Double) -> Double)?
    let units: @Sendable (Double) -> Double

    init(
      _ function: ActivationFunction, _ units: Double,
      _ definition: (@Sendable (Double) -> Double)? = nil
    ) {
      self.init(function, { _ in units }, definition)
    }

    init(
      _ function: ActivationFunction, _ units: @escaping @Sendable (Double) -> Double,
      _ definition: (@Sendable (Double) -> Double)? = nil
    ) {
      self.function = function
      self.units = units
      self.definition = definition
    }

    var testDescription: String { "\(function)" }

    func callAsFunction(_ x: Double) -> Double { definition?(x) ?? function(x) }
  }

  /// The bounds are those in `activation.h`.
  private static let cases = [
    Case(.exponential, 1.5), Case(.sigmoid, 2.5), Case(.silu, 3.5), Case(.tanh, 3),
    Case(.elu(alpha: 0.75), 4), Case(.celu(alpha: 0.3), 4), Case(.selu, 4),
    Case(.gelu(approximate: false), 8),
    Case(
      .gelu(approximate: true), { x in x > -1 ? 4 : 4 - 3 * tanhArgument(x) },
      // The definition's 1 + tanh cancels.
      { x in x == -.infinity ? 0 : x / (1 + exp(-tanhArgument(x))) }),
    Case(.mish, 5) { x in
      // The definition's logarithm and tangent would cost Double a few digits.
      let power = exp(min(x, 300))
      return x == -.infinity ? 0 : x * (power * (power + 2) / (power * (power + 2) + 2))
    },
    Case(.softplus, 4), Case(.logSigmoid, 4), Case(.softsign, 2), Case(.hardSilu, 4),
    Case(.relu(maxValue: 6, negativeSlope: 0.25, threshold: 1), 2),
    Case(.leakyReLU(negativeSlope: 0.25), 0.5), Case(.relu6, 0.5), Case(.hardTanh, 0.5),
    Case(.hardShrink(threshold: 0.1), 0.5), Case(.softShrink(threshold: 0.25), 0.5),
    Case(.threshold(threshold: 0.1, value: -2), 0.5), Case(.sparsePlus, 2),
  ]

  /// 2 · √(2 / π) · (x + 0.044715 · x³).
  private static func tanhArgument(_ x: Double) -> Double {
    2 * (2 / Double.pi).squareRoot() * (x + 0.044715 * x * x * x)
  }

  /// All exponents and signs, infinities, NaNs and denormal numbers, at as many digits as time allows; and evenly
  /// where functions do most.
  private static let sweep: [Float] = {
    let patterns = stride(from: UInt32(0), through: .max - 20_011, by: 20_011)
    let special: [Float] = [
      0, -0.0, .infinity, -.infinity, .nan, -.nan, .greatestFiniteMagnitude,
      -.greatestFiniteMagnitude, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
      .leastNormalMagnitude, 88.72283, 88.72284, -87.33654, -87.33655, -103.97208, -103.97209,
      -104, -110, -3, 3, -1, 1, 0.1, -0.1, 0.25, -14.1, -13.2, -25, 20,
    ]
    return patterns.map { Float(bitPattern: $0) } + special
      + stride(from: Float(-110), through: 110, by: 0.0037)
  }()

  @Test(arguments: CPULevel.available.map(\.name), cases.indices)
  func `every value is within a few units in the last place`(level: String, index: Int) throws {
    let (function, sweep) = (Self.cases[index], Self.sweep)
    let model = try model(Activation(function.function), [sweep.count])
    let engine = try FastEngine(model, threads: 2, level: try CPULevel.named(level))
    let found = try #require(
      try engine.run(["x0": NDArray(shape: [1, sweep.count], values: sweep)])["y0"])
    var worst = (error: 0.0, x: Float.nan, y: Float.nan)
    for (x, y) in zip(sweep, found.values) {
      let expected = function(Double(x))
      let error = error(of: y, expected) / function.units(Double(x))
      if error > worst.error { worst = (error, x, y) }
    }
    #expect(
      worst.error <= 1,
      "\(level): \(function.function) of \(worst.x) is \(worst.y), not \(function(Double(worst.x)))"
    )
  }

  /// The error in units in the last place of the correct value, rounded to Float.
  private func error(of found: Float, _ expected: Double) -> Double {
    let rounded = Float(expected)
    if expected.isNaN || found.isNaN { return expected.isNaN == found.isNaN ? 0 : .infinity }
    if rounded == found { return 0 }
    // One unit beyond the greatest number is infinity.
    guard rounded.isFinite, found.isFinite else {
      let largest = Double(Float.greatestFiniteMagnitude)
      return abs(abs(expected) / largest - 1) < 2e-7 ? 1 : .infinity
    }
    return abs(Double(found) - expected) / Double(rounded.ulp)
  }

  @Test(
    arguments: CPULevel.available.map(\.name), [[1], [3], [8], [17], [1000], [5, 3], [3, 37]])
  func `softmax is as exact where a value is small`(level: String, shape: [Int]) throws {
    var random = SplitMix64(seed: 7)
    let x = random.array([3] + shape).values.map { $0 * 60 }
    for axis in shape.indices {
      let function = ActivationFunction.softmax(axis: AxisList([axis]))
      let model = try model(Activation(function), shape)
      let engine = try FastEngine(model, level: try CPULevel.named(level))
      let input = ["x0": NDArray(shape: [3] + shape, values: x)]
      let found = try #require(try engine.run(input)["y0"])
      let definition = Activation(function)
      let size = shape.reduce(1, *)
      for image in 0..<3 {
        let values = x[image * size..<(image + 1) * size].map { Double($0) }
        let expected = try definition.evaluate([NDArray(shape: shape, values: values)], [:])
        for (index, value) in expected.values.enumerated() {
          let other = Double(found.values[image * size + index])
          // The difference to the largest, up to 120, is rounded to 2^-18.
          #expect(abs(other - value) <= value * 6e-6 + 1e-44, "\(level), \(shape), axis \(axis)")
        }
      }
    }
  }

  /// Lengths around the vector lengths of all levels: no bytes beyond the result may be written or affect it.
  @Test func `buffers of every length`() throws {
    let functions: [ActivationFunction] = [
      .silu, .softmax(axis: 0), .relu(maxValue: nil, negativeSlope: 0.5, threshold: 0),
    ]
    for function in functions {
      for count in 1...40 {
        let model = try chain([Activation(function), Activation(.tanh)], input: Shape([count]))
        try expectAgreement(model, randomInputs(of: model, batch: 3), "\(function) of \(count)")
      }
    }
  }
}
