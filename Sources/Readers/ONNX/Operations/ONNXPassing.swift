import ModelIR
import Operators

/// Operations that return their input.
///
/// Source: onnx/docs/Operators.md.
enum ONNXPassing: ONNXOperation {
  static let names = ["Cast", "CastLike", "Dropout", "Identity"]
  static let operators: [any Operator.Type] = [Elementwise.self, Pairwise.self]
  static let refused = [
    "Dropout in training mode", "Cast of real numbers to integers of 8 or 16 bits",
  ]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let input = try node.input(0)
    switch node.operation {
    case "Identity": return [input]
    case "Dropout":
      let training = try node.optionalConstant(2)?.scalar() ?? 0
      guard training == 0, node.opset >= 7 || node.flag("is_test") else {
        throw .trainingMode(node.operation)
      }
      return [input]
    default:
      guard let target = node.castType else { throw .unreadType("\(node.integer("to") ?? 0)") }
      switch input {
      case .constant(let constant): return [.constant(try constant.cast(to: target))]
      case .value(let value) where target.isInteger && !(node.types.first??.isInteger ?? false):
        return [try graph.cast(value, to: target)]
      case .value(let value) where target == .truth && node.types.first != .truth:
        return [try graph.cast(value, to: target)]
      default: return [input]
      }
    }
  }
}
