import ModelIR
import Operators

/// The mapping of a group of TensorFlow Lite operators; `Operations` has one file per group.
protocol TFLiteOperation: Sendable {
  /// The names of the operators in the schema.
  static var names: [String] { get }

  /// The resulting netconv operators, for the documentation; empty if the operators are resolved while reading.
  static var operators: [any Operator.Type] { get }

  /// The unsupported settings, for the documentation.
  static var refused: [String] { get }

  /// True if quantised tensors are accepted and dequantised.
  static var readsScales: Bool { get }

  /// Returns the outputs of an operator.
  ///
  /// No input is a problem. An error is reported only if the outputs of the model depend on the operator.
  /// - Throws: `badData` if the operator cannot be mapped.
  static func results(
    of node: MappedTFLiteNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult]
}

extension TFLiteOperation {
  static var operators: [any Operator.Type] { [] }
  static var refused: [String] { [] }
  static var readsScales: Bool { false }
}

/// All TensorFlow Lite operators that netconv reads.
enum TFLiteOperations {
  /// The mappings, one per file in `Operations`; a test compares the two.
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

  /// Returns the mapping of an operator; `nil` if it is not supported.
  static func operation(named name: String) -> (any TFLiteOperation.Type)? { byName[name] }

  private static let byName: [String: any TFLiteOperation.Type] = {
    var operations: [String: any TFLiteOperation.Type] = [:]
    for operation in all {
      for name in operation.names { operations[name] = operation }
    }
    return operations
  }()
}

/// The supported TensorFlow Lite operators, as listed in Docs/formats/tflite.md.
public enum TFLiteOperationTable {
  /// A Markdown table generated from the mappings.
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

  /// The netconv operators that result from TensorFlow Lite graphs, including those of shared TensorFlow operations.
  public static var operators: Set<String> {
    GraphOperationTable.operators.union(
      TFLiteOperations.all.flatMap { $0.operators.map { $0.name } })
  }
}
