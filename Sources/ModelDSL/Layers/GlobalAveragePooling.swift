import ModelIR
import Operators

/// The mean of each channel.
public struct GlobalAveragePooling: NetworkLayer {
  /// What it is called.
  public let name: String?
  /// `pool`.
  public var kind: String { "pool" }
  /// `GlobalAveragePooling2D`.
  public let operation: any Operator

  /// A pooling over the whole image.
  ///
  /// - Parameters:
  ///   - keepDimensions: whether the result is an image of one pixel.
  ///   - name: what it is called.
  public init(keepDimensions: Bool = false, name: String? = nil) {
    operation = GlobalAveragePooling2D(keepDimensions: keepDimensions)
    self.name = name
  }
}
