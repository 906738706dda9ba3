import ModelIR
import Operators

/// The input without its edges: ``Cropping`` of images, ``Cropping1D`` of sequences.
public struct CroppingLayer<Space: SpatialAxes>: NetworkLayer {
  /// What it is called.
  public let name: String?
  /// `cropping`.
  public var kind: String { "cropping" }
  /// `Cropping2D` or `Cropping1D`.
  public let operation: any Operator
}

/// An image without some rows and columns at its edges.
public typealias Cropping = CroppingLayer<Plane>

/// A sequence without some steps at its ends.
public typealias Cropping1D = CroppingLayer<Line>

extension CroppingLayer where Space == Plane {
  /// A cropping by so many columns on the left and right, and rows above and below.
  public init(
    left: Int = 0, right: Int = 0, top: Int = 0, bottom: Int = 0, name: String? = nil
  ) {
    operation = Cropping2D(top: top, bottom: bottom, left: left, right: right)
    self.name = name
  }
}

extension CroppingLayer where Space == Line {
  /// A cropping by so many steps, the first and the last.
  public init(before: Int = 0, after: Int = 0, name: String? = nil) {
    operation = Operators.Cropping1D(before: before, after: after)
    self.name = name
  }
}
