import ModelIR
import Operators

/// The axes in another order.
public struct Permute: NetworkLayer {
  /// What it is called.
  public let name: String?
  /// `permute`.
  public var kind: String { "permute" }
  /// `Permute`.
  public let operation: any Operator

  /// An exchange of axes: `[1, 0]` makes (channels, length) of (length, channels).
  ///
  /// - Parameters:
  ///   - order: the axes of the input in the order of the output, counted from 0 without the batch.
  ///   - name: what it is called.
  public init(order: [Int], name: String? = nil) {
    operation = Operators.Permute(order: order)
    self.name = name
  }
}
