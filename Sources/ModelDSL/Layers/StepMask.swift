import ModelIR
import Operators

/// A mask of the steps of a sequence, for recurrent layers and ``MaskedAverage``.
public struct StepMask: NetworkLayer {
  /// The layer's name.
  public let name: String?
  /// The prefix of default names, `mask`.
  public var kind: String { "mask" }
  /// The operator, `StepMask`.
  public let operation: any Operator

  /// Creates a mask of the steps that contain other values than `value`.
  ///
  /// - Parameters:
  ///   - value: the value that marks a masked step if all of its values equal it.
  ///   - isPerValue: true if each value is a step of its own, such as a token id; otherwise a step extends along the
  ///     last axis.
  ///   - name: the layer's name.
  public init(value: Double = 0, isPerValue: Bool = false, name: String? = nil) {
    operation = Operators.StepMask(value: value, isPerValue: isPerValue)
    self.name = name
  }
}
