import FlatBuffers
import ModelIR

/// An operator of a subgraph.
///
/// Source: tensorflow/lite/schema/schema.fbs, `Operator` and `OperatorCode`.
struct TFLiteOperator {
  private enum Field {
    static let code = 0
    static let inputs = 1
    static let outputs = 2
    static let optionsType = 3
    static let options = 4
  }

  private enum CodeField {
    static let deprecatedBuiltin = 0
    static let custom = 1
    static let builtin = 3
  }

  /// The operator's name, such as `CONV_2D`, or the name of a custom operator.
  let name: String
  let isCustom: Bool
  /// The tensor indices of the inputs; `nil` for an omitted optional input.
  let inputs: [Int?]
  /// The tensor indices of the outputs.
  let outputs: [Int]
  /// The type of the options: a member of the union `BuiltinOptions`.
  let optionsType: Int
  let options: FlatTable?

  init(
    _ table: FlatTable, _ codes: [(name: String, isCustom: Bool)], tensorCount: Int
  ) throws(NetconvError) {
    let code = try table.unsigned(Field.code, width: 4)
    guard codes.indices.contains(code) else { throw .noSuchTFLitePart("operator code", code) }
    (name, isCustom) = codes[code]
    let range = 0..<tensorCount
    inputs = try (table.integers(Field.inputs) ?? []).map { index throws(NetconvError) in
      if index == -1 { return nil }
      guard range.contains(index) else { throw .noSuchTFLitePart("tensor", index) }
      return index
    }
    outputs = try table.integers(Field.outputs) ?? []
    if let stranger = outputs.first(where: { !range.contains($0) }) {
      throw .noSuchTFLitePart("tensor", stranger)
    }
    optionsType = try table.unsigned(Field.optionsType, width: 1)
    options = try table.table(Field.options, name)
  }

  /// Decodes an entry of the operator code table.
  ///
  /// Codes from 127 on are in the newer of two fields. For lower codes both fields are equal, or the newer one is absent.
  static func code(_ table: FlatTable) throws(NetconvError) -> (name: String, isCustom: Bool) {
    let number = max(
      try table.integer(CodeField.deprecatedBuiltin, Int8.self),
      try table.integer(CodeField.builtin))
    guard number != TFLiteBuiltins.custom else { return (try table.text(CodeField.custom), true) }
    return (
      TFLiteBuiltins.names.indices.contains(number)
        ? TFLiteBuiltins.names[number] : "operator \(number)", false
    )
  }
}
