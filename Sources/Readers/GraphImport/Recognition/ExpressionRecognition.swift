import ModelIR
import Operators

/// Finds the activation that several operations spell out, by what they compute together.
///
/// An expression of one value is evaluated at many points and compared with the definition of each function; how it
/// is written does not matter.
struct ExpressionRecognition {
  /// An activation, and what it is applied to.
  struct Found {
    let draft: Int
    let operation: any Operator
    /// The slopes of a rectifier that has one for each channel.
    var slopes: GraphConstant?
  }

  /// Operations that one function consists of, at most.
  private static let sizeLimit = 48

  /// Curves that are looked at in one graph, at most; a network has some thousands.
  private static let curveLimit = 1 << 17

  let drafts: [GraphDraft]
  private var curvesLeft = curveLimit

  init(drafts: [GraphDraft]) { self.drafts = drafts }

  /// The function that a draft is of another one; of several, the one of the farthest.
  mutating func activation(at root: Int) -> Found? {
    guard let expression = drafts[root].expression, expression.axes == nil else { return nil }
    if case .layer(let layer) = drafts[root].content, layer.operation is Activation {
      // An operation that is one by itself, of something that is a layer too.
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

  /// What a draft follows from value by value, the nearest first.
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

/// An expression as a function of some drafts, and of the vectors in it.
struct ExpressionCurve {
  /// An operation, and which steps before it it is applied to.
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
  /// The numbers in it, near which it may bend.
  private(set) var numbers: [Double] = []
  /// The vectors in it, each once.
  private(set) var vectors: [GraphConstant] = []

  /// The operations that it consists of.
  var stepCount: Int { steps.count }

  /// The function that `root` is of `arguments`.
  ///
  /// - Returns: `nil` if it depends on anything else, or is no function that can be computed.
  init?(_ root: Int, of arguments: [Int], _ drafts: [GraphDraft]) {
    var places: [Int: Int] = [:]
    // Drafts read those with smaller numbers.
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

  /// The value at `x`, of one argument, where the one vector is `slope`.
  func callAsFunction(_ x: Double, slope: Double = 0) -> Double { self([x], [slope]) }

  /// The value for some arguments, with a number of each vector.
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
