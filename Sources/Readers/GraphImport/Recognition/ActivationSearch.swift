import ModelIR
import Operators

/// Finds the activation that equals a curve, within the rounding of a graph's constants.
enum ActivationSearch {
  /// Compares with a relative tolerance of 4e-6: constants of a graph are Floats, which changes values by about 1e-7.
  ///
  /// The absolute tolerance of 1e-9 is for tails, where functions vanish.
  private static func isEqual(_ found: Double, _ expected: Double) -> Bool {
    expected.isFinite && abs(found - expected) <= 4e-6 * abs(expected) + 1e-9
  }

  /// The function that equals the curve at all points; `nil` if there is none.
  static func function(of curve: ExpressionCurve) -> ActivationFunction? {
    // A few points rule out most expressions.
    let likely = likeness(candidates(for: curve), to: curve, at: glance)
    guard !likely.isEmpty else { return nil }
    let functions = likeness(likely, to: curve, at: points(around: curve.numbers))
    return functions.first { keepsFloor(of: curve, $0) }
  }

  /// True unless the function vanishes where the curve has a small nonzero floor: a divisor with a floor must not
  /// become 0.
  private static func keepsFloor(
    of curve: ExpressionCurve, _ function: ActivationFunction
  ) -> Bool {
    let floor = curve(-85)
    guard floor != 0, floor == curve(-100), function.axis == nil else { return true }
    return function(-100) != 0
  }

  private static let glance = [-7.3, -2.6, -1.1, -0.4, 0.3, 0.9, 2.4, 3.7, 8.2]

  /// The functions that equal the curve at the given points.
  private static func likeness(
    _ functions: [ActivationFunction], to curve: ExpressionCurve, at points: [Double]
  ) -> [ActivationFunction] {
    let values = points.map { curve($0) }
    guard values.allSatisfy(\.isFinite) else { return [] }
    let arguments = NDArray(shape: [points.count], values: points)
    return functions.filter { function in
      guard let own = try? function.applied(to: arguments).values else { return false }
      return zip(own, values).allSatisfy(isEqual)
    }
  }

  /// The negative slopes of a rectifier with a slope per channel.
  ///
  /// - Returns: `nil` unless the curve is such a rectifier, with the vector as its slopes or their negatives.
  static func slopes(
    of curve: ExpressionCurve, _ vector: GraphConstant
  ) throws(NetconvError) -> GraphConstant? {
    let numbers = try vector.numbers()
    let points = points(around: curve.numbers)
    for sign in [1.0, -1] {
      let isRectifier = Set(numbers).prefix(64).allSatisfy { slope in
        points.allSatisfy { x in
          let own = x < 0 ? sign * slope * x : x
          return isEqual(own, curve(x, slope: slope))
        }
      }
      // Slopes that were not sampled could behave differently in a `max`.
      guard isRectifier,
        Set(numbers).count <= 64 || numbers.allSatisfy({ (0...1).contains(sign * $0) })
      else { continue }
      return GraphConstant(
        numbers.map { sign * $0 }, shape: [numbers.count], type: vector.type, path: vector.path)
    }
    return nil
  }

  /// The points of a fine grid, and points on both sides of every number of the expression.
  private static func points(around numbers: [Double]) -> [Double] {
    var points = (-480...480).map { Double($0) * 0.0317 }
    points += [20, 25, 30, 40, 50, 60, 75, 85, 100].flatMap { [-$0, $0] } + [0]
    for number in Set(numbers) where number.isFinite && abs(number) < 1e30 {
      let places = [number, -number, number == 0 ? 0 : 1 / number, logarithm(abs(number))]
      for place in places where abs(place) < 1e30 {
        // A kink far from 0 still counts.
        let step = max(1e-3, abs(place) * 1e-3)
        points += [place, place - step, place + step]
      }
    }
    return points
  }

  /// Candidate functions: those without settings, and those whose settings can be estimated from the curve.
  private static func candidates(for curve: ExpressionCurve) -> [ActivationFunction] {
    let slope = (curve(-5) - curve(-10)) / 5
    let largest = curve(60)
    var candidates: [ActivationFunction] = [
      .relu, .relu6, .sigmoid, .tanh, .softplus, .softsign, .silu, .hardSilu,
      .hardSigmoid(slope: 1.0 / 6), .hardSigmoid(slope: 0.2), .hardTanh,
      .gelu(approximate: false), .gelu(approximate: true), .selu, .mish, .exponential,
      .logSigmoid, .tanhShrink, .elu(alpha: 1),
    ]
    // A straight line is arithmetic, not an activation.
    if slope.isFinite, abs(slope - 1) > 1e-5 {
      let rounded = Double(Float(slope))
      candidates.append(.leakyReLU(negativeSlope: abs(rounded - slope) < 1e-7 ? rounded : slope))
    }
    if largest.isFinite, largest > 0, largest < 60 {
      candidates.append(.relu(maxValue: largest, negativeSlope: 0, threshold: 0))
    }
    let alpha = -curve(-40)
    if alpha.isFinite, alpha > 0 { candidates.append(.elu(alpha: alpha)) }
    return candidates
  }
}
