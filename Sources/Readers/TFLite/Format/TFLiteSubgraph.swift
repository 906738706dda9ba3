import FlatBuffers
import ModelIR

/// A graph of TensorFlow Lite.
///
/// Source: tensorflow/lite/schema/schema.fbs, `SubGraph`.
struct TFLiteSubgraph {
  private enum Field {
    static let tensors = 0
    static let inputs = 1
    static let outputs = 2
    static let operators = 3
  }

  /// The number of a tensor, and what users call it.
  typealias End = (tensor: Int, name: String)

  let tensors: [TFLiteTensor]
  let inputs: [End]
  let outputs: [End]
  /// Each after those that it reads.
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

/// What a user calls the ends of a subgraph.
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

  /// The number of the subgraph.
  let subgraph: Int
  /// Names by the numbers of tensors.
  let inputs: [Int: String]
  /// Names by the numbers of tensors.
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
