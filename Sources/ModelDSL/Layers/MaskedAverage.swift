import ModelIR
import Operators

/// The mean of each channel over the steps that count.
public struct MaskedAverage: NetworkLayer {
  /// What it is called.
  public let name: String?
  /// `pool`.
  public var kind: String { "pool" }
  /// `MaskedAverage`.
  public let operation: any Operator
  /// The mask.
  public let furtherInputs: [any NodeSource]

  /// A mean over steps.
  ///
  /// - Parameters:
  ///   - mask: which steps count: (length), where 0 masks a step.
  ///   - keepDimensions: whether the result is a sequence of one step.
  ///   - name: what it is called.
  public init(mask: any NodeSource, keepDimensions: Bool = false, name: String? = nil) {
    operation = Operators.MaskedAverage(keepDimensions: keepDimensions)
    furtherInputs = [mask]
    self.name = name
  }
}
