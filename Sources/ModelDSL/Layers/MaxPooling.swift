import ModelIR
import Operators

/// The largest value of each window, per channel; padding never wins.
public struct MaxPooling: NetworkLayer {
  /// What it is called.
  public let name: String?
  /// `pool`.
  public var kind: String { "pool" }
  /// `MaxPooling2D`.
  public let operation: any Operator

  /// A pooling; tuples are (width, height).
  ///
  /// - Parameters:
  ///   - kernel: the size of the window.
  ///   - stride: the distance of two windows; by default they do not overlap.
  ///   - padding: what happens at the edges.
  ///   - name: what it is called.
  public init(
    kernel: (width: Int, height: Int), stride: (width: Int, height: Int)? = nil,
    padding: Padding = .valid, name: String? = nil
  ) {
    operation = MaxPooling2D(
      poolSize: Size2D(kernel), strides: stride.map { Size2D($0) }, padding: padding)
    self.name = name
  }
}
