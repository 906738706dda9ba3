import ModelIR

/// The readers of each value in a model, and the values that are therefore never stored.
///
/// A layer that no output depends on is not run with the model, and does not count as a reader of a layer that an
/// output depends on.
package struct LayerUses: Sendable {
  private let model: Model
  private let outputs: Set<String>
  private let reaching: Set<String>
  /// The activation that follows a sum whose rounding it takes over, by the sum's layer name.
  private var activations: [String: Layer] = [:]
  private var takenOver: Set<String> = []

  /// Collects the uses of values in `model`.
  package init(_ model: Model) {
    self.model = model
    outputs = Set(model.outputs)
    reaching = model.layersNeeded(for: outputs)
    for layer in model.layers where !isOutput(layer.name) {
      guard let sum = layer.operation as? any SummingOperator, sum.activation.isLinear else {
        continue
      }
      let readers = readers(of: layer.name)
      guard readers.count == 1, let function = readers[0].operation.onlyActivation,
        !function.isLinear
      else { continue }
      activations[layer.name] = readers[0]
    }
    takenOver = Set(activations.values.map(\.name))
  }

  /// Returns true if an output of the model depends on the layer.
  package func reachesOutput(_ layer: String) -> Bool { reaching.contains(layer) }

  /// Returns true if the layer is an output of the model.
  package func isOutput(_ layer: String) -> Bool { outputs.contains(layer) }

  /// Returns the layers that read a layer or an input.
  package func readers(of layer: String) -> [Layer] {
    model.readers(of: layer).filter { reaching.contains($0.name) || !reaching.contains(layer) }
  }

  /// Returns true if the layer's sum is not stored because its only reader is an activation: rule 5 of
  /// Docs/precision.md.
  package func isUnstored(_ layer: String) -> Bool { activations[layer] != nil }

  /// Returns the activation that follows an unstored sum, and the name of its layer.
  package func activation(
    behind layer: String
  ) -> (function: ActivationFunction, layer: String)? {
    guard let layer = activations[layer], let function = layer.operation.onlyActivation else {
      return nil
    }
    return (function, layer.name)
  }

  /// Returns true if the layer is an activation that the layer before it applies.
  package func isTakenOver(_ layer: String) -> Bool { takenOver.contains(layer) }
}
