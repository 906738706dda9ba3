import ModelIR
import Operators

/// A permutation of axes.
public struct Permute: NetworkLayer {
  /// The layer's name.
  public let name: String?
  /// The prefix of default names, `permute`.
  public var kind: String { "permute" }
  /// The operator, `Permute`.
  public let operation: any Operator

  /// Creates a permutation: `[1, 0]` turns (length, channels) into (channels, length).
  ///
  /// - Parameters:
  ///   - order: the axes of the input in the order of the output, counted from 0 without the batch.
  ///   - name: the layer's name.
  public init(order: [Int], name: String? = nil) {
    operation = Operators.Permute(order: order)
    self.name = name
  }
}
