import FlatBuffers
import ModelIR

/// A TensorFlow Lite graph.
///
/// Source: tensorflow/lite/schema/schema.fbs, `SubGraph`.
struct TFLiteSubgraph {
  private enum Field {
    static let tensors = 0
    static let inputs = 1
    static let outputs = 2
    static let operators = 3
  }

  /// The tensor index and the public name of an input or output.
  typealias End = (tensor: Int, name: String)

  let tensors: [TFLiteTensor]
  let inputs: [End]
  let outputs: [End]
  /// The operators in execution order.
  let operators: [TFLiteOperator]

  init(
    _ table: FlatTable, _ codes: [(name: String, isCustom: Bool)], _ signature: TFLiteSignature?
  ) throws(NetconvError) {
    var names = UniqueNames(separator: "_", from: 1)
    var tensors: [TFLiteTensor] = []
    for (index, tensor) in try table.tables(Field.tensors, "Tensor").enumerated() {
      tensors.append(try TFLiteTensor(tensor, &names, index: index))
    }
    let ends = try [Field.inputs, Field.outputs].map { field throws(NetconvError) in
      try (table.integers(field) ?? []).map { index throws(NetconvError) -> End in
        guard tensors.indices.contains(index) else { throw .noSuchTFLitePart("tensor", index) }
        let named = field == Field.inputs ? signature?.inputs : signature?.outputs
        return (index, named?[index] ?? tensors[index].name)
      }
    }
    (self.tensors, inputs, outputs) = (tensors, ends[0], ends[1])
    operators = try table.tables(Field.operators, "Operator").map {
      table throws(NetconvError) in
      try TFLiteOperator(table, codes, tensorCount: tensors.count)
    }
  }
}

/// The public names of a subgraph's inputs and outputs.
///
/// Source: tensorflow/lite/schema/schema.fbs, `SignatureDef` and `TensorMap`.
struct TFLiteSignature {
  private enum Field {
    static let inputs = 0
    static let outputs = 1
    static let subgraph = 4
  }

  private enum MapField {
    static let name = 0
    static let tensor = 1
  }

  /// The index of the subgraph.
  let subgraph: Int
  /// The names of the inputs by tensor index.
  let inputs: [Int: String]
  /// The names of the outputs by tensor index.
  let outputs: [Int: String]

  init(_ table: FlatTable) throws(NetconvError) {
    subgraph = try table.unsigned(Field.subgraph, width: 4)
    inputs = try Self.names(table, Field.inputs)
    outputs = try Self.names(table, Field.outputs)
  }

  private static func names(
    _ table: FlatTable, _ field: Int
  ) throws(NetconvError) -> [Int: String] {
    var names: [Int: String] = [:]
    for map in try table.tables(field, "TensorMap") {
      let name = try map.text(MapField.name)
      if !name.isEmpty { names[try map.unsigned(MapField.tensor, width: 4)] = name }
    }
    return names
  }
}
