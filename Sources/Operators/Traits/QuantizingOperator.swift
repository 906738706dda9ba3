import ModelIR

/// An operator that may quantise real numbers, and nothing else.
package protocol QuantizingOperator: Operator {
  /// The quantisation; `nil` if the operator does anything else.
  var quantization: Quantization? { get }
}

extension Quantized: QuantizingOperator {
  /// The quantisation of the output, if the input is real and each value is only rounded.
  package var quantization: Quantization? {
    inputs.isEmpty && operation is Identity ? output : nil
  }
}

extension Model {
  /// Returns the quantisation of an input that all its readers quantise alike; `nil` if there is none.
  package func quantization(ofInput name: String) -> Quantization? {
    let readers = layers.filter { $0.inputs.contains(name) }
    let found = readers.map { ($0.operation as? any QuantizingOperator)?.quantization }
    guard let first = found.first ?? nil, found.allSatisfy({ $0 == first }) else { return nil }
    return first
  }
}
