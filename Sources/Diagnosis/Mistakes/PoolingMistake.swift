import ModelIR
import Operators

/// The largest value of each window for the mean, or the reverse: weights do not tell which pooling a network has.
enum PoolingMistake: Mistake {
  static func repairs(of layer: LayerCase, _ evidence: Evidence) -> [Repair] {
    guard let other = (layer.operation as? any PoolingOperator)?.counterpart else { return [] }
    return [
      Repair(
        .attributes, "is \(type(of: layer.operation).name), expected \(type(of: other).name)",
        advice: "write the operator of the source"
      ) { $0.operation = other }
    ]
  }
}
