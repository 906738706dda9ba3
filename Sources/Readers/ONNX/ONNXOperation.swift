import ModelIR
import Operators

/// The mapping of some operations of ONNX; one file for each kind in `Operations`.
protocol ONNXOperation: Sendable {
  /// The operations, as graphs name them.
  static var names: [String] { get }

  /// The operator set that they are of; `""` is ONNX's own.
  static var domain: String { get }

  /// The operators that they become, for the documentation; none if they are resolved.
  static var operators: [any Operator.Type] { get }

  /// The settings that are not read, for the documentation.
  static var refused: [String] { get }

  /// The outputs of a node.
  ///
  /// None of its inputs is a problem.
  /// - Throws: `badData` if it uses something that cannot be mapped; an error only if the outputs need it.
  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult]
}

extension ONNXOperation {
  static var domain: String { "" }
  static var operators: [any Operator.Type] { [] }
  static var refused: [String] { [] }
}

/// Every kind of operation of ONNX that netconv reads.
enum ONNXOperations {
  /// One line per file in `Operations`; a test compares the two.
  static let all: [any ONNXOperation.Type] = [
    ONNXActivation.self,
    ONNXArithmetic.self,
    ONNXAttention.self,
    ONNXConstant.self,
    ONNXConvolution.self,
    ONNXConvolutionTransposed.self,
    ONNXEinsum.self,
    ONNXFused.self,
    ONNXIndices.self,
    ONNXNormalization.self,
    ONNXPart.self,
    ONNXPassing.self,
    ONNXPooling.self,
    ONNXProduct.self,
    ONNXQuantization.self,
    ONNXQuantizedArithmetic.self,
    ONNXRecurrence.self,
    ONNXReduction.self,
    ONNXReshaping.self,
    ONNXResizing.self,
    ONNXShape.self,
    ONNXTriangle.self,
  ]

  /// The mapping of a node, or `nil` if netconv does not know its operation.
  static func operation(of node: ONNXNode) -> (any ONNXOperation.Type)? {
    byName["\(node.domain):\(node.operation)"]
  }

  private static let byName: [String: any ONNXOperation.Type] = {
    var operations: [String: any ONNXOperation.Type] = [:]
    for operation in all {
      for name in operation.names { operations["\(operation.domain):\(name)"] = operation }
    }
    return operations
  }()
}

/// The operations of ONNX that are read, as Docs/formats/onnx.md lists them.
public enum ONNXOperationTable {
  /// A table in Markdown, from the mappings.
  public static var markdown: String {
    var text = "| operations | operators | refused |\n|---|---|---|\n"
    for operation in ONNXOperations.all {
      let names = operation.names.sorted().map {
        operation.domain.isEmpty ? "`\($0)`" : "`\(operation.domain).\($0)`"
      }
      let operators = operation.operators.map { "`\($0.name)`" }
      text += "| \(names.joined(separator: ", ")) | \(operators.joined(separator: ", ")) | "
      text += operation.refused.joined(separator: "; ") + " |\n"
    }
    return text
  }

  /// The operators that layers of graphs are; those that change the order of axes or spelled-out functions among them.
  public static var operators: Set<String> {
    var names: Set<String> = ["Flatten", "Identity", "PReLU", "Permute", "Reshape"]
    for operation in ONNXOperations.all {
      names.formUnion(operation.operators.map { $0.name })
    }
    return names
  }
}
