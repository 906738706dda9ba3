import ModelIR
import Operators

/// Finds a normalisation by mean and variance that is spelled out, by what its parts compute together:
/// gamma · (x - m) / √(v + ε) + beta, where m and v are the moments of x along some axes.
///
/// Source: tensorflow/python/ops/nn_impl.py, `moments` and `batch_normalization`.
struct MomentNormalizationSearch {
  /// Operations that one normalisation consists of, at most.
  private static let sizeLimit = 32

  /// The moments that an expression is made of.
  private struct Moments {
    /// What is normalised.
    let value: Int
    /// Its mean; `nil` if the second moment is of the values themselves.
    let mean: Int?
    /// The mean of its squares, or of its squared distances from the mean.
    let second: Int
    let axes: [Int]
  }

  let drafts: [GraphDraft]

  /// The layer that a draft is; `nil` if it is none.
  func layer(of draft: Int) throws(NetconvError) -> GraphDraft.Layer? {
    guard let moments = moments(under: draft),
      drafts[moments.value].shape == drafts[draft].shape,
      let vectors = vectors(under: draft, moments), vectors.count <= 2,
      vectors.allSatisfy({ $0.isPerChannel(of: drafts[draft].shape) })
    else { return nil }
    let formula = FormulaOfMoments(
      drafts: drafts, root: draft, value: moments.value, mean: moments.mean, second: moments.second)
    let paths = vectors.map(\.path)
    for (gamma, beta) in Self.assignments(paths) {
      guard let epsilon = formula.epsilon(gamma: gamma, beta: beta) else { continue }
      var parameters: [ParameterRole: GraphDraft.Parameter] = [:]
      for (role, path) in [(ParameterRole.gamma, gamma), (.beta, beta)] {
        guard let path, let vector = vectors.first(where: { $0.path == path }) else { continue }
        parameters[role] = GraphDraft.Parameter(
          constant: try vector.reshaped([vector.count]), layout: nil)
      }
      guard
        let operation = operation(
          moments, epsilon, drafts[draft].shape, hasOffset: parameters[.beta] != nil)
      else { return nil }
      return GraphDraft.Layer(
        operation: operation, inputs: [moments.value], parameters: parameters)
    }
    return nil
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

  /// Which vector is the factor and which the offset.
  private static func assignments(_ paths: [String]) -> [(gamma: String?, beta: String?)] {
    switch paths.count {
    case 0: [(nil, nil)]
    case 1: [(paths[0], nil), (nil, paths[0])]
    default: [(paths[0], paths[1]), (paths[1], paths[0])]
    }
  }

  /// The moments that a draft is made of, the nearest that belong together.
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

  /// The vectors between a draft and its moments; `nil` if it depends on something else.
  private func vectors(under root: Int, _ moments: Moments) -> [GraphConstant]? {
    var vectors: [GraphConstant] = []
    var waiting = [root]
    var seen = Set([root, moments.value, moments.second] + [moments.mean].compactMap(\.self))
    while let draft = waiting.popLast() {
      guard let expression = drafts[draft].expression, expression.axes == nil,
        seen.count <= Self.sizeLimit
      else { return nil }
      for operand in expression.operands {
        switch operand {
        case .value(let value): if seen.insert(value).inserted { waiting.append(value) }
        case .vector(let vector):
          if !vectors.contains(where: { $0.path == vector.path }) { vectors.append(vector) }
        case .number: break
        case .fed: return nil
        }
      }
    }
    return vectors
  }

  private func moments(among means: [Int]) -> Moments? {
    for second in means {
      guard let axes = axes(ofMean: second), let squared = operand(of: second) else { continue }
      if let (first, other) = difference(under: squared) {
        for (value, mean) in [(first, other), (other, first)]
        where self.axes(ofMean: mean) == axes && operand(of: mean) == value {
          return Moments(value: value, mean: mean, second: second, axes: axes)
        }
      } else if let value = base(ofSquare: squared) {
        return Moments(value: value, mean: nil, second: second, axes: axes)
      }
    }
    return nil
  }

  private func axes(ofMean draft: Int) -> [Int]? {
    guard let expression = drafts[draft].expression, expression.operation == "Mean" else {
      return nil
    }
    return expression.axes
  }

  private func operand(of draft: Int) -> Int? {
    guard case .value(let value)? = drafts[draft].expression?.operands.first else { return nil }
    return value
  }

  /// What is subtracted from what, before it is squared.
  private func difference(under draft: Int) -> (Int, Int)? {
    guard let expression = drafts[draft].expression else { return nil }
    let difference: GraphExpression?
    if expression.operation == "SquaredDifference" {
      difference = expression
    } else {
      difference = base(ofSquare: draft).flatMap { drafts[$0].expression }
      guard difference?.operation == "Sub" else { return nil }
    }
    guard let operands = difference?.operands, operands.count == 2,
      case .value(let first) = operands[0], case .value(let second) = operands[1]
    else { return nil }
    return (first, second)
  }

  private func base(ofSquare draft: Int) -> Int? {
    guard let expression = drafts[draft].expression,
      case .value(let value)? = expression.operands.first
    else { return nil }
    if expression.operation == "Square" { return value }
    if expression.operation == "Pow", expression.operands.count == 2,
      case .number(2) = expression.operands[1]
    {
      return value
    }
    guard expression.operation == "Mul", expression.operands.count == 2,
      case .value(value) = expression.operands[1]
    else { return nil }
    return value
  }
}

/// An expression of a value, its moments and vectors, as a function of numbers.
private struct FormulaOfMoments {
  let drafts: [GraphDraft]
  let root: Int
  let value: Int
  let mean: Int?
  let second: Int

  /// What is added to the variance, if the expression is a normalisation with this factor and this offset.
  func epsilon(gamma: String?, beta: String?) -> Double? {
    func at(_ x: Double, _ m: Double, _ v: Double, _ g: Double, _ b: Double) -> Double? {
      var vectors: [String: Double] = [:]
      if let gamma { vectors[gamma] = g }
      if let beta { vectors[beta] = b }
      var values = [value: x, second: v]
      if let mean { values[mean] = m }
      return number(root, &values, vectors)
    }
    guard let inverse = at(1, 0, 0, 1, 0), inverse.isFinite, inverse > 0 else { return nil }
    let epsilon = 1 / (inverse * inverse)
    // Numbers that lie densely in their ranges, and are not multiples of each other.
    for index in 0..<200 {
      let step = Double(index)
      let x = (step * 0.618).truncatingRemainder(dividingBy: 1) * 6 - 3
      let m = mean == nil ? 0 : (step * 0.414).truncatingRemainder(dividingBy: 1) * 4 - 2
      let v = (step * 0.732).truncatingRemainder(dividingBy: 1) * 4 + 0.01
      let g = gamma == nil ? 1 : (step * 0.236).truncatingRemainder(dividingBy: 1) * 4 - 2
      let b = beta == nil ? 0 : (step * 0.646).truncatingRemainder(dividingBy: 1) * 4 - 2
      let expected = g * (x - m) / (v + epsilon).squareRoot() + b
      guard let found = at(x, m, v, g, b), abs(found - expected) <= 1e-6 * max(1, abs(expected))
      else { return nil }
    }
    return epsilon
  }

  private func number(
    _ draft: Int, _ values: inout [Int: Double], _ vectors: [String: Double]
  ) -> Double? {
    if let known = values[draft] { return known }
    guard let expression = drafts[draft].expression, expression.axes == nil,
      let function = ExpressionCurve.function(of: expression)
    else { return nil }
    var operands: [Double] = []
    for operand in expression.operands {
      switch operand {
      case .value(let draft):
        guard let number = number(draft, &values, vectors) else { return nil }
        operands.append(number)
      case .number(let number): operands.append(number)
      case .vector(let vector):
        guard let number = vectors[vector.path] else { return nil }
        operands.append(number)
      case .fed: return nil
      }
    }
    values[draft] = function(operands)
    return values[draft]
  }
}
