import ModelIR
import Operators

/// Source: keras/src/layers/reshaping/repeat_vector.py.
enum KerasRepeatVector: KerasLayerMapping {
  static let classNames = ["RepeatVector"]
  static let operators: [any Operator.Type] = [RepeatVector.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    RepeatVector(count: try layer.int("n"))
  }
}
