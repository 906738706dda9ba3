import ModelIR

/// How a value follows from others at the same place: an operation and what it is applied to.
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

  /// As the graph names it, without a version: `Mul`, `Tanh`.
  let operation: String
  let operands: [Operand]
  /// A setting of the operation, such as the slope of a leaky rectifier.
  var setting = 0.0
  /// The axes that it sums over, of operations that are no function of one place.
  var axes: [Int]?
}
