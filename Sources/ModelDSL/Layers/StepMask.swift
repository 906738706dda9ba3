import ModelIR
import Operators

/// Which steps of a sequence count: what recurrent layers and ``MaskedAverage`` take as their mask.
public struct StepMask: NetworkLayer {
  /// What it is called.
  public let name: String?
  /// `mask`.
  public var kind: String { "mask" }
  /// `StepMask`.
  public let operation: any Operator

  /// The steps of something else than `value`.
  ///
  /// - Parameters:
  ///   - value: what all values of a step that does not count are.
  ///   - isPerValue: whether each value is a step of its own, as are the words of a text; otherwise the last axis is one
  ///     step's.
  ///   - name: what it is called.
  public init(value: Double = 0, isPerValue: Bool = false, name: String? = nil) {
    operation = Operators.StepMask(value: value, isPerValue: isPerValue)
    self.name = name
  }
}
