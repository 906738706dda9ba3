import ModelIR
import Operators

/// Finds a division by the Euclidean norm that is written as several operations: x · rsqrt(max(Σ x², ε)).
///
/// Source: tensorflow/python/ops/nn_impl.py, `l2_normalize`.
struct UnitNormalizationSearch {
  let drafts: [GraphDraft]

  /// The normalisation layer that computes a draft; `nil` if there is none.
  func layer(of draft: Int) throws(NetconvError) -> GraphDraft.Layer? {
    guard let product = drafts[draft].expression, product.function == .multiply,
      product.operands.count == 2
    else { return nil }
    for (value, inverse) in [(0, 1), (1, 0)] {
      guard case .value(let value) = product.operands[value],
        case .value(let inverse) = product.operands[inverse],
        let root = operand(of: inverse, .point(.elementwise(.reciprocalSquareRoot))),
        let limited = drafts[root].expression,
        limited.function == .maximum, limited.operands.count == 2
      else { continue }
      var sum: Int?
      var smallest: Double?
      for operand in limited.operands {
        if case .value(let draft) = operand { sum = draft }
        if case .number(let number) = operand { smallest = number }
      }
      guard let sum, let smallest, smallest > 0, let axes = drafts[sum].expression?.axes,
        let squares = operand(of: sum, .reduction(.sum, axes: axes)),
        drafts.base(ofSquare: squares) == value
      else { continue }
      return GraphDraft.Layer(
        operation: UnitNormalization(
          smallestNorm: smallest.squareRoot(),
          axis: AxisList(axes.map { $0 - drafts[value].shape.rank })), inputs: [value])
    }
    return nil
  }

  private func operand(of draft: Int, _ operation: GraphExpression.Operation) -> Int? {
    guard let expression = drafts[draft].expression, expression.operation == operation,
      expression.operands.count == 1, case .value(let operand) = expression.operands[0]
    else { return nil }
    return operand
  }
}
