import ModelIR
import Operators

/// A class that Keras does not have.
enum KerasNegation: KerasLayerMapping {
  static let classNames = ["Negation"]
  static let operators: [any Operator.Type] = [Negation.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    Negation()
  }
}
