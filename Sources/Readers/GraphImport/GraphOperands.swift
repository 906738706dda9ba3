import ModelIR

/// A node of a graph with its inputs in the model under construction, whatever format it is in.
protocol GraphOperands {
  /// The type of the node, for errors.
  var operation: String { get }
  /// Returns the input at `index`; `nil` if it is omitted.
  func optional(_ index: Int) -> GraphResult?
}

extension GraphOperands {
  /// Returns the input at `index`.
  ///
  /// - Throws: `badData` if the node has fewer, or it is omitted.
  func input(_ index: Int) throws(NetconvError) -> GraphResult {
    guard let input = optional(index) else { throw .missingOperand(index, operation) }
    return input
  }

  /// Returns the input at `index`, which must depend on the model's inputs.
  ///
  /// - Throws: `badData` if it is constant or missing.
  func value(_ index: Int) throws(NetconvError) -> GraphValue {
    guard case .value(let value) = try input(index) else { throw .expectedValue(index, operation) }
    return value
  }

  /// Returns the constant input at `index`.
  ///
  /// - Throws: `badData` if it depends on the model's inputs, or is missing.
  func constant(_ index: Int) throws(NetconvError) -> GraphConstant {
    switch try input(index) {
    case .constant(let constant): return constant
    case .fed(let name): throw .fedNumber(name)
    default: throw .expectedConstant(index, operation)
    }
  }
}
