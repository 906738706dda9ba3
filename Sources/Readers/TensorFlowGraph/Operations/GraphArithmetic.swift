import ModelIR
import Operators

/// Elementwise arithmetic: sums, products, comparisons and selections.
///
/// Source: tensorflow/core/ops/math_ops.cc.
enum GraphArithmetic: GraphOperation {
  static let names = Array(functions.keys)
  static let operators: [any Operator.Type] = [
    Add.self, Subtract.self, Multiply.self, Divide.self, Maximum.self, Minimum.self,
    Elementwise.self, Pairwise.self, Where.self, Rescaling.self, Scale.self,
    BatchNormalization.self, Constant.self,
  ]
  static let folded = names
  static let refused = ["constants for the samples of a batch"]

  private static let functions: [String: PointFunction] = [
    "Add": .add, "AddN": .sum, "AddV2": .add, "ClipByValue": .clip, "Div": .divide,
    "Equal": .equal, "FloorDiv": .floorDivide, "FloorMod": .floorModulo, "Greater": .greater,
    "GreaterEqual": .greaterOrEqual, "Less": .less, "LessEqual": .lessOrEqual,
    "LogicalAnd": .and, "LogicalOr": .or, "Maximum": .maximum, "Minimum": .minimum,
    "Mul": .multiply, "Neg": .negative, "NotEqual": .notEqual, "Pow": .power,
    "RealDiv": .divide, "Select": .select, "SelectV2": .select, "Square": .square,
    "SquaredDifference": .squaredDifference, "Sub": .subtract,
  ]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    guard let function = functions[node.operation] else {
      throw .unknownOperation(node.operation)
    }
    if node.operation == "Select", let constants = node.inputs.constants, constants.count == 3,
      constants[0].count > 1
    {
      // The first version selects rows by a vector, without broadcasting.
      for other in constants.dropFirst() where other.shape != constants[0].shape {
        throw .shapesDiffer(constants[0].shape, other.shape)
      }
    }
    return [try graph.apply(function, node.inputs)]
  }
}
