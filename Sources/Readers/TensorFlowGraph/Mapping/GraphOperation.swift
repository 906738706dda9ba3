import ModelIR
import Operators

/// What netconv makes of some operations of TensorFlow; one file for each kind in `Operations`.
protocol GraphOperation: Sendable {
  /// The operations, as graphs name them.
  static var names: [String] { get }

  /// What they become, for the documentation; none if they are resolved.
  static var operators: [any Operator.Type] { get }

  /// The operations that are computed where all inputs are constant, for the documentation.
  static var folded: [String] { get }

  /// What is not read, for the documentation.
  static var refused: [String] { get }

  /// What the outputs of a node are.
  ///
  /// None of its inputs is a problem or random.
  /// - Throws: `badData` if it uses something that cannot be mapped; an error only if the outputs need it.
  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult]
}

extension GraphOperation {
  static var operators: [any Operator.Type] { [] }
  static var folded: [String] { [] }
  static var refused: [String] { [] }
}

/// Every kind of operation that netconv reads.
enum GraphOperations {
  /// One line per file in `Operations`; a test compares the two.
  static let all: [any GraphOperation.Type] = [
    GraphActivation.self,
    GraphArithmetic.self,
    GraphBatchNormalization.self,
    GraphBiasAdd.self,
    GraphBlocks.self,
    GraphConcat.self,
    GraphConvolution.self,
    GraphConvolutionTransposed.self,
    GraphCropping.self,
    GraphEinsum.self,
    GraphFilling.self,
    GraphGather.self,
    GraphIndices.self,
    GraphMatMul.self,
    GraphPadding.self,
    GraphPassing.self,
    GraphPooling.self,
    GraphReduction.self,
    GraphReshaping.self,
    GraphResizing.self,
    GraphReversal.self,
    GraphShapes.self,
    GraphSpaceToBatch.self,
    GraphTable.self,
    GraphTranspose.self,
  ]

  /// What reads an operation, or `nil` if netconv does not know it.
  static func operation(named name: String) -> (any GraphOperation.Type)? { byName[name] }

  private static let byName: [String: any GraphOperation.Type] = {
    var operations: [String: any GraphOperation.Type] = [:]
    for operation in all {
      for name in operation.names { operations[name] = operation }
    }
    return operations
  }()
}
