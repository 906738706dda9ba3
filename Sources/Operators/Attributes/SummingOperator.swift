import ModelIR

/// An operator that sums products with a kernel, and applies an activation to the sums.
package protocol SummingOperator: Operator {
  /// Applied to the sum.
  var activation: ActivationFunction { get }
}

extension Convolution2D: SummingOperator {}
extension DepthwiseConvolution2D: SummingOperator {}
extension Dense: SummingOperator {}
extension SeparableConvolution2D: SummingOperator {}
extension TransposedConvolution2D: SummingOperator {}

extension Model {
  /// The layers whose outputs a consumer never stores: sums that only an activation behind them reads.
  ///
  /// A convolution (of any kind) or dense layer without an activation of its own, no output of the model, read by
  /// one layer alone, an `Activation` that changes something, computes that activation before it stores. Where
  /// activations are stored in half precision, this says which values are rounded; see Docs/precision.md.
  package var unstoredLayers: Set<String> {
    var readers: [String: [Layer]] = [:]
    for layer in layers {
      for input in layer.inputs { readers[input, default: []].append(layer) }
    }
    let unstored = layers.filter { layer in
      guard let operation = layer.operation as? any SummingOperator, operation.activation.isLinear,
        !outputs.contains(layer.name), let readers = readers[layer.name], readers.count == 1,
        let reader = readers[0].operation as? Activation
      else { return false }
      return !reader.function.isLinear
    }
    return Set(unstored.map(\.name))
  }
}
