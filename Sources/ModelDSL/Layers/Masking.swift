import ModelIR
import Operators

/// A sequence with masked steps replaced by zeros; a step is masked if all of its values equal a given one.
///
/// The layers after it do not receive the mask; a ``StepMask`` computes it.
public struct Masking: NetworkLayer {
  /// The layer's name.
  public let name: String?
  /// The prefix of default names, `masking`.
  public var kind: String { "masking" }
  /// The operator, `Masking`.
  public let operation: any Operator

  /// Creates a mask for steps in which all values equal `value`.
  public init(value: Double = 0, name: String? = nil) {
    operation = Operators.Masking(value: value)
    self.name = name
  }
}
