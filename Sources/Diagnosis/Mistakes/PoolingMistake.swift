import ModelIR
import Operators

/// The largest value of each window for the mean, or the reverse: weights do not tell which pooling a network has.
enum PoolingMistake: Mistake {
  static func repairs(of layer: LayerCase, _ evidence: Evidence) -> [Repair] {
    guard let other = counterpart(of: layer.operation) else { return [] }
    return [
      Repair(
        .attributes, "is \(type(of: layer.operation).name), expected \(type(of: other).name)",
        advice: "write the operator of the source"
      ) { $0.operation = other }
    ]
  }

  /// The other pooling over the same windows; `nil` if it is none.
  private static func counterpart(of operation: any Operator) -> (any Operator)? {
    switch operation {
    case let pooling as MaxPooling1D: mean(of: pooling)
    case let pooling as MaxPooling2D: mean(of: pooling)
    case let pooling as AveragePooling1D: largest(of: pooling)
    case let pooling as AveragePooling2D: largest(of: pooling)
    case let pooling as GlobalMaxPooling1D:
      GlobalAveragePooling1D(keepDimensions: pooling.keepDimensions)
    case let pooling as GlobalMaxPooling2D:
      GlobalAveragePooling2D(keepDimensions: pooling.keepDimensions)
    case let pooling as GlobalAveragePooling1D:
      GlobalMaxPooling1D(keepDimensions: pooling.keepDimensions)
    case let pooling as GlobalAveragePooling2D:
      GlobalMaxPooling2D(keepDimensions: pooling.keepDimensions)
    default: nil
    }
  }

  private static func mean<Space>(
    of pooling: SpatialMaxPooling<Space>
  ) -> SpatialAveragePooling<Space> {
    SpatialAveragePooling(
      poolSize: pooling.poolSize, strides: pooling.strides, padding: pooling.padding)
  }

  private static func largest<Space>(
    of pooling: SpatialAveragePooling<Space>
  ) -> SpatialMaxPooling<Space> {
    SpatialMaxPooling(
      poolSize: pooling.poolSize, strides: pooling.strides, padding: pooling.padding)
  }
}
