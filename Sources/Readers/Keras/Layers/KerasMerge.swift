import ModelIR
import Operators

/// Source: keras/src/layers/merging.
enum KerasMerge: KerasLayerMapping {
  static let classNames = ["Add", "Subtract", "Multiply", "Average", "Maximum", "Minimum"]
  static let operators: [any Operator.Type] = [
    Add.self, Subtract.self, Multiply.self, Average.self, Maximum.self, Minimum.self,
  ]
  static let refused = ["inputs of different ranks"]

  /// The product of masks: 1 where all inputs are 1.
  static let product: any Operator = Multiply()

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule {
    // Since Keras 3 these layers skip masked steps.
    ["Multiply", "Maximum", "Minimum"].contains(layer.className) && layer.kerasVersion >= 3
      ? .combines : .merges
  }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    switch layer.className {
    case "Subtract": Subtract()
    case "Multiply": Multiply()
    case "Average": Average()
    case "Maximum": Maximum()
    case "Minimum": Minimum()
    default: Add()
    }
  }
}
