import ModelIR
import Operators

/// Rows and columns of zeros around an image.
public struct ZeroPadding: NetworkLayer {
  /// What it is called.
  public let name: String?
  /// `padding`.
  public var kind: String { "padding" }
  /// `ZeroPadding2D`.
  public let operation: any Operator

  /// A padding of so many columns on the left and right, and rows above and below.
  public init(
    left: Int = 0, right: Int = 0, top: Int = 0, bottom: Int = 0, name: String? = nil
  ) {
    operation = ZeroPadding2D(top: top, bottom: bottom, left: left, right: right)
    self.name = name
  }
}
