import ModelIR
import Operators

/// The largest value of each window for the mean, or the reverse: weights do not tell which pooling a network has.
enum PoolingMistake: Mistake {
  static func repairs(of layer: LayerCase, _ evidence: Evidence) -> [Repair] {
    guard let pooling = layer.operation as? any PoolingOperator else { return [] }
    return [.exchanging(pooling, for: pooling.counterpart)]
  }
}
