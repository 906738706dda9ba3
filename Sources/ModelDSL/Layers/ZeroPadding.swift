import ModelIR
import Operators

/// Zeros around the input: ``ZeroPadding`` of images, ``ZeroPadding1D`` of sequences.
public struct ZeroPaddingLayer<Space: SpatialAxes>: NetworkLayer {
  /// What it is called.
  public let name: String?
  /// `padding`.
  public var kind: String { "padding" }
  /// `ZeroPadding2D` or `ZeroPadding1D`.
  public let operation: any Operator
}

/// Rows and columns of zeros around an image.
public typealias ZeroPadding = ZeroPaddingLayer<Plane>

/// Steps of zeros before and behind a sequence.
public typealias ZeroPadding1D = ZeroPaddingLayer<Line>

extension ZeroPaddingLayer where Space == Plane {
  /// A padding of so many columns on the left and right, and rows above and below.
  public init(
    left: Int = 0, right: Int = 0, top: Int = 0, bottom: Int = 0, name: String? = nil
  ) {
    operation = ZeroPadding2D(top: top, bottom: bottom, left: left, right: right)
    self.name = name
  }
}

extension ZeroPaddingLayer where Space == Line {
  /// A padding of so many steps before the first and after the last.
  public init(before: Int = 0, after: Int = 0, name: String? = nil) {
    operation = Operators.ZeroPadding1D(before: before, after: after)
    self.name = name
  }
}
