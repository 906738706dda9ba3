import Documents
import ModelIR
import Operators

/// A table that is read forwards as an embedding, and backwards as a dense layer; ``KerasSequences`` tells the calls.
///
/// Source: keras/src/layers/core/reversible_embedding.py.
enum KerasReversibleEmbedding: KerasLayerMapping {
  static let className = "ReversibleEmbedding"
  static let classNames = [className]
  static let operators: [any Operator.Type] = [
    Embedding.self, Dense.self, Activation.self, Rescaling.self, StepMask.self,
  ]
  static let refused = ["a reverse_dtype other than the layer's"]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .makesPerValue }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    guard isReversed(layer) else { return try KerasEmbedding.operation(of: layer) }
    return Dense(units: try layer.int("input_dim"))
  }

  /// Returns the tables; each call uses one of them.
  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] {
    let isTied = try layer.bool("tie_weights", default: true)
    let isReversed = isReversed(layer)
    return [KerasWeight(name: "embeddings", role: isTied || !isReversed ? .kernel : nil)]
      + (isTied ? [] : [KerasWeight(name: "reverse_embeddings", role: isReversed ? .kernel : nil)])
  }

  /// Returns true if a call reads the table backwards.
  static func isReversed(_ call: JSONValue, of layer: KerasLayerConfig) -> Bool {
    guard layer.className == className else { return false }
    let argument = call["kwargs"]?[reversal] ?? call["args"]?.array?.dropFirst().first
    return argument?.truth ?? false
  }

  /// The setting that marks a layer for calls with `reverse=True`.
  static let reversal = "reverse"

  private static func isReversed(_ layer: KerasLayerConfig) -> Bool {
    layer.value(of: reversal)?.truth ?? false
  }

  /// Returns the tables of a file as the operators expect them.
  static func arranged(
    _ weights: [(name: String, stored: StoredTensor)], of layer: KerasLayerConfig
  ) throws(NetconvError) -> [(name: String, stored: StoredTensor)] {
    guard layer.className == className, isReversed(layer),
      try layer.bool("tie_weights", default: true)
    else { return weights }
    return weights.map { name, stored in
      var table = stored
      table.layout = .oi
      return (name, table)
    }
  }
}
