import ModelIR
import Operators

/// Finds a normalisation by mean and variance that is written as several operations, by the values that they compute:
/// gamma · (x - m) / √(v + ε) + beta, where m and v are the moments of x along some axes.
///
/// Source: tensorflow/python/ops/nn_impl.py, `moments` and `batch_normalization`.
struct MomentNormalizationSearch {
  /// The maximum number of operations in one normalisation.
  private static let sizeLimit = 32

  /// The moments in an expression.
  private struct Moments {
    /// The draft that is normalised.
    let value: Int
    /// Its mean; `nil` if the second moment is that of the values themselves.
    let mean: Int?
    /// The mean of the squares, or of the squared deviations from the mean.
    let second: Int
    let axes: [Int]

    /// The arguments of the normalisation.
    var drafts: [Int] { [value, second] + (mean.map { [$0] } ?? []) }
  }

  let drafts: [GraphDraft]

  /// The normalisation layer that computes a draft; `nil` if there is none.
  func layer(of draft: Int) throws(NetconvError) -> GraphDraft.Layer? {
    let shape = drafts[draft].shape
    guard let moments = moments(under: draft), drafts[moments.value].shape == shape,
      let curve = ExpressionCurve(draft, of: moments.drafts, drafts),
      curve.stepCount + moments.drafts.count <= Self.sizeLimit, curve.vectors.count <= 2,
      curve.vectors.allSatisfy({ $0.isPerChannel(of: shape) })
    else { return nil }
    for (gamma, beta) in Self.assignments(curve.vectors.count) {
      guard let epsilon = Self.epsilon(curve, moments, gamma, beta) else { continue }
      var parameters: [ParameterRole: GraphDraft.Parameter] = [:]
      for (role, index) in [(ParameterRole.gamma, gamma), (.beta, beta)] {
        guard let vector = index.map({ curve.vectors[$0] }) else { continue }
        parameters[role] = GraphDraft.Parameter(
          constant: try vector.reshaped([vector.count]), layout: nil)
      }
      guard let operation = operation(moments, epsilon, shape, hasOffset: beta != nil) else {
        return nil
      }
      return GraphDraft.Layer(
        operation: operation, inputs: [moments.value], parameters: parameters)
    }
    return nil
  }

  /// The epsilon added to the variance, if the curve is a normalisation with this gamma and beta.
  private static func epsilon(
    _ curve: ExpressionCurve, _ moments: Moments, _ gamma: Int?, _ beta: Int?
  ) -> Double? {
    func at(_ x: Double, _ m: Double, _ v: Double, _ g: Double, _ b: Double) -> Double {
      let vectors = curve.vectors.indices.map { $0 == gamma ? g : b }
      return curve(moments.mean == nil ? [x, v] : [x, v, m], vectors)
    }
    let inverse = at(1, 0, 0, 1, 0)
    guard inverse.isFinite, inverse > 0 else { return nil }
    let epsilon = 1 / (inverse * inverse)
    // Quasirandom numbers, which are dense in their ranges and not multiples of each other.
    for index in 0..<800 {
      func number(_ ratio: Double, _ range: ClosedRange<Double>) -> Double {
        (Double(index) * ratio).truncatingRemainder(dividingBy: 1)
          * (range.upperBound - range.lowerBound) + range.lowerBound
      }
      // Every second sample may have any magnitude, so that clamps inside the expression take effect.
      let isUsual = index.isMultiple(of: 2)
      func sized(_ ratio: Double, _ range: ClosedRange<Double>) -> Double {
        let value = number(ratio, range)
        return isUsual ? value : value * power(10, number(ratio * 7.3, -6...8))
      }
      let x = sized(0.618, -3...3)
      let m = moments.mean == nil ? 0 : sized(0.414, -2...2)
      let v = isUsual ? number(0.732, 0.01...4.01) : epsilon * power(10, number(0.732, -3...9))
      let g = gamma == nil ? 1 : sized(0.236, -2...2)
      let b = beta == nil ? 0 : sized(0.646, -2...2)
      let deviation = (v + epsilon).squareRoot()
      let expected = g * (x - m) / deviation + b
      // The terms of the sum may be far larger than the sum itself.
      let size = max(1, abs(g) * (abs(x) + abs(m)) / deviation, abs(b))
      guard
        abs(at(x, m, v, g, b) - expected) <= (isUsual ? 1e-6 * max(1, abs(expected)) : 1e-6 * size)
      else { return nil }
    }
    return epsilon
  }

  private func operation(
    _ moments: Moments, _ epsilon: Double, _ shape: Shape, hasOffset: Bool
  ) -> (any Operator)? {
    let last = shape.rank - 1
    switch (moments.axes, moments.mean) {
    case ([last], .some): return LayerNormalization(epsilon: epsilon)
    case ([last], nil): return hasOffset ? nil : RMSNormalization(epsilon: epsilon)
    case (Array(0..<last), .some) where last > 0:
      return GroupNormalization(groups: -1, epsilon: epsilon)
    default: return nil
    }
  }

  /// The possible roles of `count` vectors as gamma and beta.
  private static func assignments(_ count: Int) -> [(gamma: Int?, beta: Int?)] {
    switch count {
    case 0: [(nil, nil)]
    case 1: [(0, nil), (nil, 0)]
    default: [(0, 1), (1, 0)]
    }
  }

  /// The moments in an expression, the nearest pair that belongs together.
  private func moments(under root: Int) -> Moments? {
    guard drafts[root].expression?.axes == nil else { return nil }
    var means: [Int] = []
    var order = [root]
    var seen: Set = [root]
    var next = 0
    while next < order.count, next < Self.sizeLimit {
      let draft = order[next]
      next += 1
      guard let expression = drafts[draft].expression else { continue }
      if expression.axes != nil {
        means.append(draft)
        if let moments = moments(among: means) { return moments }
        continue
      }
      for case .value(let value) in expression.operands where seen.insert(value).inserted {
        order.append(value)
      }
    }
    return nil
  }

  private func moments(among means: [Int]) -> Moments? {
    for second in means {
      guard let axes = axes(ofMean: second), let squared = operand(of: second) else { continue }
      if let (first, other) = difference(under: squared) {
        for (value, mean) in [(first, other), (other, first)]
        where self.axes(ofMean: mean) == axes && operand(of: mean) == value {
          return Moments(value: value, mean: mean, second: second, axes: axes)
        }
      } else if let value = drafts.base(ofSquare: squared) {
        return Moments(value: value, mean: nil, second: second, axes: axes)
      }
    }
    return nil
  }

  private func axes(ofMean draft: Int) -> [Int]? {
    guard case .reduction(.mean, let axes)? = drafts[draft].expression?.operation else {
      return nil
    }
    return axes
  }

  private func operand(of draft: Int) -> Int? {
    guard case .value(let value)? = drafts[draft].expression?.operands.first else { return nil }
    return value
  }

  /// The two operands of the difference that is squared.
  private func difference(under draft: Int) -> (Int, Int)? {
    guard let expression = drafts[draft].expression else { return nil }
    let difference: GraphExpression?
    if expression.function == .squaredDifference {
      difference = expression
    } else {
      difference = drafts.base(ofSquare: draft).flatMap { drafts[$0].expression }
      guard difference?.function == .subtract else { return nil }
    }
    guard let operands = difference?.operands, operands.count == 2,
      case .value(let first) = operands[0], case .value(let second) = operands[1]
    else { return nil }
    return (first, second)
  }
}
