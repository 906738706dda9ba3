import ModelIR
import Operators

/// The mapping of ONNX operations to layers; one file for each kind in `Operations`.
protocol ONNXOperation: Sendable {
  /// The ONNX operator names.
  static var names: [String] { get }

  /// The domain of the operator set; `""` is the default domain.
  static var domain: String { get }

  /// The operators of the resulting layers, for the documentation; empty if none remain.
  static var operators: [any Operator.Type] { get }

  /// The settings that are not supported, for the documentation.
  static var refused: [String] { get }

  /// Maps a node and returns its outputs.
  ///
  /// No input is a problem.
  /// - Throws: `badData` for an unsupported use, which is an error only if the outputs need the node.
  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult]
}

extension ONNXOperation {
  static var domain: String { "" }
  static var operators: [any Operator.Type] { [] }
  static var refused: [String] { [] }
}

/// Every kind of ONNX operation that netconv reads.
enum ONNXOperations {
  /// One line per file in `Operations`; a test compares the two.
  static let all: [any ONNXOperation.Type] = [
    ONNXActivation.self,
    ONNXArithmetic.self,
    ONNXAttention.self,
    ONNXConditional.self,
    ONNXConstant.self,
    ONNXConvolution.self,
    ONNXConvolutionTransposed.self,
    ONNXEinsum.self,
    ONNXFused.self,
    ONNXGather.self,
    ONNXIndices.self,
    ONNXMultiHeadAttention.self,
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

  /// The mapping for a node; `nil` if its operation is not supported.
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

/// The supported ONNX operations, as listed in Docs/formats/onnx.md.
public enum ONNXOperationTable {
  /// The table in Markdown, generated from the mappings.
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

  /// The operators that ONNX graphs are mapped to, including those for permutations and for functions in several operations.
  public static var operators: Set<String> {
    var names: Set<String> = ["Flatten", "Identity", "PReLU", "Permute", "Reshape"]
    for operation in ONNXOperations.all {
      names.formUnion(operation.operators.map { $0.name })
    }
    return names
  }
}
