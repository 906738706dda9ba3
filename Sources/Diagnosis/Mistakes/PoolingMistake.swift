import ModelIR
import Operators

/// Maximum instead of mean pooling, or the reverse; the weights do not tell which one a network
/// has.
enum PoolingMistake: Mistake {
  static func repairs(of layer: LayerCase, _ evidence: Evidence) -> [Repair] {
    guard let pooling = layer.operation as? any PoolingOperator else { return [] }
    return [.exchanging(pooling, for: pooling.counterpart)]
  }
}
