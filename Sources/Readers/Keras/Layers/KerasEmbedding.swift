import ModelIR
import Operators

/// Source: keras/src/layers/core/embedding.py; ``KerasMasks`` handles `mask_zero`.
enum KerasEmbedding: KerasLayerMapping {
  static let classNames = ["Embedding"]
  static let operators: [any Operator.Type] = [Embedding.self, StepMask.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .makesPerValue }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    Embedding(
      count: try layer.int("input_dim"), outputChannels: try layer.int("output_dim"))
  }

  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] {
    [KerasWeight(name: "embeddings", role: .kernel)]
  }
}
