import ModelIR
import Operators

/// The mapping of TensorFlow operations to layers; one file for each kind in `Operations`.
protocol GraphOperation: Sendable {
  /// The TensorFlow operation names.
  static var names: [String] { get }

  /// The operators of the resulting layers, for the documentation; empty if none remain.
  static var operators: [any Operator.Type] { get }

  /// The operations that are folded if all inputs are constant, for the documentation.
  static var folded: [String] { get }

  /// The settings that are not supported, for the documentation.
  static var refused: [String] { get }

  /// Maps a node and returns its outputs.
  ///
  /// No input is a problem or random.
  /// - Throws: `badData` for an unsupported use, which is an error only if the outputs need the node.
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

  /// The mapping of an operation; `nil` if it is not supported.
  static func operation(named name: String) -> (any GraphOperation.Type)? { byName[name] }

  private static let byName: [String: any GraphOperation.Type] = {
    var operations: [String: any GraphOperation.Type] = [:]
    for operation in all {
      for name in operation.names { operations[name] = operation }
    }
    return operations
  }()
}
