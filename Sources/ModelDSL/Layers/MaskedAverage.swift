import ModelIR
import Operators

/// The mean of each channel over the unmasked steps.
public struct MaskedAverage: NetworkLayer {
  /// The layer's name.
  public let name: String?
  /// The prefix of default names, `pool`.
  public var kind: String { "pool" }
  /// The operator, `MaskedAverage`.
  public let operation: any Operator
  /// The mask.
  public let furtherInputs: [any NodeSource]

  /// Creates a mean over unmasked steps.
  ///
  /// - Parameters:
  ///   - mask: the mask: (length), where 0 marks a masked step.
  ///   - keepDimensions: true for a sequence of one step as the result.
  ///   - name: the layer's name.
  public init(mask: any NodeSource, keepDimensions: Bool = false, name: String? = nil) {
    operation = Operators.MaskedAverage(keepDimensions: keepDimensions)
    furtherInputs = [mask]
    self.name = name
  }
}
