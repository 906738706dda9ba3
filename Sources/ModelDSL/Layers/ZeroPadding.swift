import ModelIR
import Operators

/// Zero padding around the input: ``ZeroPadding`` of images, ``ZeroPadding1D`` of sequences.
public struct ZeroPaddingLayer<Space: SpatialAxes>: NetworkLayer {
  /// The layer's name.
  public let name: String?
  /// The prefix of default names, `padding`.
  public var kind: String { "padding" }
  /// The operator, `ZeroPadding2D` or `ZeroPadding1D`.
  public let operation: any Operator
}

/// Zero padding around an image.
public typealias ZeroPadding = ZeroPaddingLayer<Plane>

/// Zero padding before and after a sequence.
public typealias ZeroPadding1D = ZeroPaddingLayer<Line>

extension ZeroPaddingLayer where Space == Plane {
  /// Creates padding with columns on the left and right, and rows at the top and bottom.
  public init(
    left: Int = 0, right: Int = 0, top: Int = 0, bottom: Int = 0, name: String? = nil
  ) {
    operation = ZeroPadding2D(top: top, bottom: bottom, left: left, right: right)
    self.name = name
  }
}

extension ZeroPaddingLayer where Space == Line {
  /// Creates padding with steps before the first and after the last.
  public init(before: Int = 0, after: Int = 0, name: String? = nil) {
    operation = Operators.ZeroPadding1D(before: before, after: after)
    self.name = name
  }
}
