import ModelIR
import Operators

/// How a value follows from others: an operation and what it is applied to.
struct GraphExpression {
  enum Operand {
    /// A draft.
    case value(Int)
    /// The same number everywhere.
    case number(Double)
    /// A number for each channel.
    case vector(GraphConstant)
    /// A number that is fed.
    case fed(String)
  }

  enum Operation: Equatable {
    /// A function of the values at the same index.
    case point(PointFunction)
    /// One number for all values along some axes.
    case reduction(Reduce.Function, axes: [Int])
  }

  let operation: Operation
  let operands: [Operand]

  init(_ function: PointFunction, _ operands: [Operand]) {
    operation = .point(function)
    self.operands = operands
  }

  /// A reduction of a draft.
  init(_ function: Reduce.Function, of draft: Int, axes: [Int]) {
    operation = .reduction(function, axes: axes)
    operands = [.value(draft)]
  }

  /// The function of the values at the same index; `nil` if it is none.
  var function: PointFunction? {
    if case .point(let function) = operation { function } else { nil }
  }

  /// The axes of a reduction; `nil` if it is none.
  var axes: [Int]? {
    if case .reduction(_, let axes) = operation { axes } else { nil }
  }
}
