import ModelIR
import Operators

/// A value as a function of others: an operation and its operands.
struct GraphExpression {
  enum Operand {
    /// The index of a draft.
    case value(Int)
    /// The same number everywhere.
    case number(Double)
    /// A number for each channel.
    case vector(GraphConstant)
    /// A number that is fed, by name.
    case fed(String)
  }

  enum Operation: Equatable {
    /// An elementwise function.
    case point(PointFunction)
    /// A reduction along some axes.
    case reduction(Reduce.Function, axes: [Int])
  }

  let operation: Operation
  let operands: [Operand]

  init(_ function: PointFunction, _ operands: [Operand]) {
    operation = .point(function)
    self.operands = operands
  }

  /// Creates a reduction of a draft.
  init(_ function: Reduce.Function, of draft: Int, axes: [Int]) {
    operation = .reduction(function, axes: axes)
    operands = [.value(draft)]
  }

  /// The elementwise function; `nil` for a reduction.
  var function: PointFunction? {
    if case .point(let function) = operation { function } else { nil }
  }

  /// The axes of a reduction; `nil` for an elementwise function.
  var axes: [Int]? {
    if case .reduction(_, let axes) = operation { axes } else { nil }
  }
}
