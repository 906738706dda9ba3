import ModelIR
import Operators

/// The mapping of some operators of TensorFlow Lite; one file for each kind in `Operations`.
protocol TFLiteOperation: Sendable {
  /// The operators, as the schema names them.
  static var names: [String] { get }

  /// The operators of netconv that they become, for the documentation; none if they are resolved.
  static var operators: [any Operator.Type] { get }

  /// The settings that are not read, for the documentation.
  static var refused: [String] { get }

  /// Whether they read integers with scales as numbers; others refuse them.
  static var readsScales: Bool { get }

  /// The outputs of an operator.
  ///
  /// None of its inputs is a problem.
  /// - Throws: `badData` if it uses something that cannot be mapped; an error only if the outputs need it.
  static func results(
    of node: MappedTFLiteNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult]
}

extension TFLiteOperation {
  static var operators: [any Operator.Type] { [] }
  static var refused: [String] { [] }
  static var readsScales: Bool { false }
}

/// Every kind of operator of TensorFlow Lite that netconv reads.
enum TFLiteOperations {
  /// One line per file in `Operations`; a test compares the two.
  static let all: [any TFLiteOperation.Type] = [
    TFLiteActivation.self,
    TFLiteConvolution.self,
    TFLiteDense.self,
    TFLiteDequantization.self,
    TFLitePooling.self,
    TFLiteRecurrence.self,
    TFLiteReshaping.self,
    TFLiteTranslation.self,
  ]

  /// The mapping of an operator, or `nil` if netconv does not know it.
  static func operation(named name: String) -> (any TFLiteOperation.Type)? { byName[name] }

  private static let byName: [String: any TFLiteOperation.Type] = {
    var operations: [String: any TFLiteOperation.Type] = [:]
    for operation in all {
      for name in operation.names { operations[name] = operation }
    }
    return operations
  }()
}

/// The operators of TensorFlow Lite that are read, as Docs/formats/tflite.md lists them.
public enum TFLiteOperationTable {
  /// A table in Markdown, from the mappings.
  public static var markdown: String {
    var text = "| operators | become | refused |\n|---|---|---|\n"
    for operation in TFLiteOperations.all {
      let names = operation.names.sorted().map { "`\($0)`" }.joined(separator: ", ")
      let operators =
        operation is TFLiteTranslation.Type
        ? "what [the same operations of TensorFlow](tensorflow.md#operations) become"
        : operation.operators.map { "`\($0.name)`" }.joined(separator: ", ")
      text += "| \(names) | \(operators) | \(operation.refused.joined(separator: "; ")) |\n"
    }
    return text
  }

  /// The operators that layers of graphs are; those of operations that TensorFlow has too among them.
  public static var operators: Set<String> {
    GraphOperationTable.operators.union(
      TFLiteOperations.all.flatMap { $0.operators.map { $0.name } })
  }
}
