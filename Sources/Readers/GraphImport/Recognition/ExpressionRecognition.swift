import ModelIR
import Operators

/// Recognises an activation that is written as several operations, by the values that they compute.
///
/// An expression of one value is evaluated at many points and compared with the definition of each function. The
/// way in which it is written does not matter.
struct ExpressionRecognition {
  /// An activation and the draft it is applied to.
  struct Found {
    let draft: Int
    let operation: any Operator
    /// The slopes of a rectifier with a slope per channel.
    var slopes: GraphConstant?
  }

  /// The maximum number of operations in one function.
  private static let sizeLimit = 48

  /// The maximum number of curves to examine in one graph; networks have a few thousand.
  private static let curveLimit = 1 << 17

  let drafts: [GraphDraft]
  private var curvesLeft = curveLimit

  init(drafts: [GraphDraft]) { self.drafts = drafts }

  /// The activation that computes a draft from another one; if there are several, the one with the most distant input.
  mutating func activation(at root: Int) -> Found? {
    guard let expression = drafts[root].expression, expression.axes == nil else { return nil }
    if case .layer(let layer) = drafts[root].content, layer.operation is Activation {
      // An operation that is an activation itself, applied to the output of a layer.
      if case .nothing = drafts[layer.inputs[0]].content {
      } else {
        return Found(draft: layer.inputs[0], operation: layer.operation)
      }
    }
    for candidate in region(of: root).dropFirst().reversed() {
      curvesLeft -= 1
      guard curvesLeft > 0, drafts[candidate].shape == drafts[root].shape,
        let curve = ExpressionCurve(root, of: [candidate], drafts), curve.vectors.count <= 1
      else { continue }
      if let vector = curve.vectors.first {
        guard vector.isPerChannel(of: drafts[root].shape) else { continue }
        if let slopes = try? ActivationSearch.slopes(of: curve, vector) {
          return Found(
            draft: candidate, operation: PReLU(sharedAxes: sharedAxes(drafts[root].shape)),
            slopes: slopes)
        }
      } else if let function = ActivationSearch.function(of: curve) {
        return Found(draft: candidate, operation: Activation(function))
      }
    }
    return nil
  }

  private func sharedAxes(_ shape: Shape) -> [Int] { Array(0..<max(0, shape.rank - 1)) }

  /// The drafts that determine a draft elementwise, the nearest first.
  private func region(of root: Int) -> [Int] {
    var region = [root]
    var seen: Set = [root]
    var next = 0
    while next < region.count, region.count <= Self.sizeLimit {
      let expression = drafts[region[next]].expression
      next += 1
      guard let expression, expression.axes == nil else { continue }
      for case .value(let draft) in expression.operands where seen.insert(draft).inserted {
        region.append(draft)
      }
    }
    return region
  }
}

/// An expression as a function of some drafts and of the vectors in it.
struct ExpressionCurve {
  /// An operation and the steps that are its operands.
  private struct FunctionCall {
    let function: PointFunction
    let operands: [Operand]
  }

  private enum Operand {
    case argument(Int)
    case step(Int)
    case number(Double)
    case vector(Int)
  }

  private var steps: [FunctionCall] = []
  /// The numbers in the expression, near which it may have kinks.
  private(set) var numbers: [Double] = []
  /// The distinct vectors in the expression.
  private(set) var vectors: [GraphConstant] = []

  /// The number of operations.
  var stepCount: Int { steps.count }

  /// Creates the function that computes `root` from `arguments`.
  ///
  /// - Returns: `nil` if it depends on anything else, or cannot be evaluated.
  init?(_ root: Int, of arguments: [Int], _ drafts: [GraphDraft]) {
    var places: [Int: Int] = [:]
    // Drafts only read drafts with smaller indices.
    var needed: Set = [root]
    var order: [Int] = []
    while let draft = needed.max() {
      needed.remove(draft)
      guard draft > arguments.min() ?? 0, let expression = drafts[draft].expression,
        expression.axes == nil,
        order.count < 64
      else { return nil }
      order.append(draft)
      for case .value(let operand) in expression.operands where !arguments.contains(operand) {
        needed.insert(operand)
      }
    }
    for draft in order.reversed() {
      guard let expression = drafts[draft].expression,
        let function = expression.function, function.arity.contains(expression.operands.count)
      else { return nil }
      var operands: [Operand] = []
      for operand in expression.operands {
        switch operand {
        case .value(let draft):
          if let index = arguments.firstIndex(of: draft) {
            operands.append(.argument(index))
          } else if let place = places[draft] {
            operands.append(.step(place))
          } else {
            return nil
          }
        case .number(let number):
          numbers.append(number)
          operands.append(.number(number))
        case .vector(let constant):
          if !vectors.contains(where: { $0.path == constant.path }) { vectors.append(constant) }
          operands.append(.vector(vectors.firstIndex { $0.path == constant.path } ?? 0))
        case .fed: return nil
        }
      }
      places[draft] = steps.count
      steps.append(FunctionCall(function: function, operands: operands))
    }
  }

  /// Evaluates a function of one argument, with `slope` as the value of its only vector.
  func callAsFunction(_ x: Double, slope: Double = 0) -> Double { self([x], [slope]) }

  /// Evaluates the function, given a number for each argument and each vector.
  func callAsFunction(_ arguments: [Double], _ vectors: [Double]) -> Double {
    var values: [Double] = []
    for step in steps {
      values.append(
        step.function(
          step.operands.map { operand in
            switch operand {
            case .argument(let index): arguments[index]
            case .step(let index): values[index]
            case .number(let number): number
            case .vector(let index): vectors[index]
            }
          }))
    }
    return values.last ?? .nan
  }
}
