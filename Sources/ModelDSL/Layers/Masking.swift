import ModelIR
import Operators

/// A sequence with zeros in the place of the steps of which every value is a given one.
///
/// What comes behind it does not know which steps these were: a ``StepMask`` says it.
public struct Masking: NetworkLayer {
  /// What it is called.
  public let name: String?
  /// `masking`.
  public var kind: String { "masking" }
  /// `Masking`.
  public let operation: any Operator

  /// Zeros for steps of nothing but `value`.
  public init(value: Double = 0, name: String? = nil) {
    operation = Operators.Masking(value: value)
    self.name = name
  }
}
