import ModelIR

/// Who reads what in a model, and which values are therefore never stored.
///
/// A layer that no output depends on is not run with the model, and does not count as a reader of one that
/// an output depends on.
package struct LayerUses: Sendable {
  private let model: Model
  private let outputs: Set<String>
  private let reaching: Set<String>
  /// The activation that a sum leaves its rounding to, by the sum's layer.
  private var activations: [String: Layer] = [:]
  private var takenOver: Set<String> = []

  /// The uses in `model`.
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

  /// Whether an output of the model depends on a layer.
  package func reachesOutput(_ layer: String) -> Bool { reaching.contains(layer) }

  /// Whether a layer is an output of the model.
  package func isOutput(_ layer: String) -> Bool { outputs.contains(layer) }

  /// The layers that read a layer or an input.
  package func readers(of layer: String) -> [Layer] {
    model.readers(of: layer).filter { reaching.contains($0.name) || !reaching.contains(layer) }
  }

  /// Whether a layer sums, and leaves its activation to the layer that alone reads it: rule 5 of Docs/precision.md.
  package func isUnstored(_ layer: String) -> Bool { activations[layer] != nil }

  /// The activation that a sum is not stored before, and the layer that it is of.
  package func activation(
    behind layer: String
  ) -> (function: ActivationFunction, layer: String)? {
    guard let layer = activations[layer], let function = layer.operation.onlyActivation else {
      return nil
    }
    return (function, layer.name)
  }

  /// Whether a layer is an activation that the layer it reads applies.
  package func isTakenOver(_ layer: String) -> Bool { takenOver.contains(layer) }
}
