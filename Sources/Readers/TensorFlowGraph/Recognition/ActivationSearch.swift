import ModelIR
import Operators

/// The activation that a curve is, to within what constants are rounded to in a graph.
enum ActivationSearch {
  /// Numbers in a graph are Floats, and some writers state few digits of a root or a third.
  private static let tolerance = 4e-6

  /// The function that is the same at all points; `nil` if there is none.
  static func function(of curve: ExpressionCurve) -> ActivationFunction? {
    let points = points(around: curve.numbers)
    let values = points.map { curve($0) }
    guard values.allSatisfy(\.isFinite) else { return nil }
    let arguments = NDArray(shape: [points.count], values: points)
    return candidates(for: curve).first { function in
      guard let own = try? function.applied(to: arguments).values else { return false }
      return zip(own, values).allSatisfy { abs($0 - $1) <= tolerance * max(1, abs($1)) }
    }
  }

  /// The slopes below 0 of a rectifier with one for each channel.
  ///
  /// - Returns: `nil` if the curve is none, with the vector as its slopes or as what they are the negative of.
  static func slopes(
    of curve: ExpressionCurve, _ vector: GraphConstant
  ) throws(NetconvError) -> GraphConstant? {
    let numbers = try vector.numbers()
    let points = points(around: curve.numbers)
    for sign in [1.0, -1] {
      let isRectifier = Set(numbers).prefix(64).allSatisfy { slope in
        points.allSatisfy { x in
          let own = x < 0 ? sign * slope * x : x
          return abs(own - curve(x, slope: slope)) <= tolerance * max(1, abs(own))
        }
      }
      // Slopes of which only some were looked at could differ in a `max`.
      guard isRectifier,
        Set(numbers).count <= 64 || numbers.allSatisfy({ (0...1).contains(sign * $0) })
      else { continue }
      return GraphConstant(
        numbers.map { sign * $0 }, shape: [numbers.count], type: vector.type, path: vector.path)
    }
    return nil
  }

  /// A fine grid, and both sides of every number of the expression.
  private static func points(around numbers: [Double]) -> [Double] {
    var points = (-480...480).map { Double($0) * 0.0317 }
    points += [-40, -30, -25, -20, 0, 20, 25, 30, 40]
    for number in Set(numbers) where number.isFinite && abs(number) <= 64 {
      for place in [number, -number, number == 0 ? 0 : 1 / number] where abs(place) <= 64 {
        points += [place, place - 1e-3, place + 1e-3]
      }
    }
    return points
  }

  /// Functions that the curve may be: those without settings, and those whose settings it shows.
  private static func candidates(for curve: ExpressionCurve) -> [ActivationFunction] {
    let slope = (curve(-5) - curve(-10)) / 5
    let largest = curve(60)
    var candidates: [ActivationFunction] = [
      .relu, .relu6, .sigmoid, .tanh, .softplus, .softsign, .silu, .hardSilu,
      .hardSigmoid(slope: 1.0 / 6), .hardSigmoid(slope: 0.2), .hardTanh,
      .gelu(approximate: false), .gelu(approximate: true), .selu, .mish, .exponential,
      .logSigmoid, .tanhShrink, .elu(alpha: 1),
    ]
    // A straight line is arithmetic.
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
