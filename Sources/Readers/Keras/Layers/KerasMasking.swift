import Documents
import ModelIR
import Operators

/// Source: keras/src/layers/core/masking.py; ``KerasMasks`` propagates the mask.
enum KerasMasking: KerasLayerMapping {
  static let classNames = ["Masking"]
  static let operators: [any Operator.Type] = [Masking.self, StepMask.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .makesPerStep }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    Masking(value: try layer.double("mask_value", default: 0))
  }

  /// Returns the operator for the mask of steps that differ from a value.
  static func mask(value: Double, isPerValue: Bool) -> any Operator {
    StepMask(value: value, isPerValue: isPerValue)
  }
}
