import ModelIR

/// Operations of ML Programs that are read; one file for each kind in `Operations`.
protocol CoreMLOperationKind: Sendable {
  /// The names of the operations.
  static var names: [String] { get }

  /// Adds the nodes of an operation.
  ///
  /// - Throws: `badData` for a use that is not read.
  static func write(
    _ operation: MappedCoreMLOperation, to nodes: inout CoreMLNodes
  ) throws(NetconvError)
}

/// An operation that is one node of ONNX, whose operands are some of its own in another order.
struct CoreMLPlainForm: Sendable {
  /// The operator of ONNX.
  let type: String
  /// The names of the operands.
  let operands: [String]

  init(_ type: String, _ operands: String...) {
    (self.type, self.operands) = (type, operands)
  }

  /// Adds the node of an operation.
  ///
  /// - Throws: `badData` if an operand is missing.
  func write(
    _ operation: MappedCoreMLOperation, to nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    var inputs: [String] = []
    for name in operands { inputs.append(try operation.input(name)) }
    nodes.node(type, inputs, to: [operation.output])
  }
}

/// Every kind of operation that netconv reads.
enum CoreMLOperations {
  /// One line per file in `Operations`; a test compares the two.
  static let all: [any CoreMLOperationKind.Type] = [
    CoreMLActivation.self,
    CoreMLArithmetic.self,
    CoreMLNormalization.self,
    CoreMLProduct.self,
    CoreMLRecurrence.self,
    CoreMLReduction.self,
    CoreMLResizing.self,
    CoreMLShape.self,
    CoreMLSlice.self,
    CoreMLWindow.self,
  ]

  /// The kind of an operation.
  static let byName: [String: any CoreMLOperationKind.Type] = {
    var table: [String: any CoreMLOperationKind.Type] = [:]
    for kind in all {
      for name in kind.names { table[name] = kind }
    }
    return table
  }()
}

/// The operations of Core ML that are read, as listed in Docs/formats/coreml.md.
public enum CoreMLOperationTable {
  /// A table in Markdown of the operations by their first letter.
  public static var markdown: String {
    let names = CoreMLOperations.byName.keys.sorted()
    let rows = Dictionary(grouping: names) { $0.prefix(1) }.sorted { $0.key < $1.key }
    return "| operations |\n|---|\n"
      + rows.map { "| \($0.value.map { "`\($0)`" }.joined(separator: ", ")) |\n" }.joined()
  }
}
