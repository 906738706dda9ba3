import ModelIR
import Operators

/// A crop of the input's edges: ``Cropping`` of images, ``Cropping1D`` of sequences.
public struct CroppingLayer<Space: SpatialAxes>: NetworkLayer {
  /// The layer's name.
  public let name: String?
  /// The prefix of default names, `cropping`.
  public var kind: String { "cropping" }
  /// The operator, `Cropping2D` or `Cropping1D`.
  public let operation: any Operator
}

/// A crop that removes rows and columns at the edges of an image.
public typealias Cropping = CroppingLayer<Plane>

/// A crop that removes steps at the ends of a sequence.
public typealias Cropping1D = CroppingLayer<Line>

extension CroppingLayer where Space == Plane {
  /// Creates a crop that removes columns on the left and right, and rows at the top and bottom.
  public init(
    left: Int = 0, right: Int = 0, top: Int = 0, bottom: Int = 0, name: String? = nil
  ) {
    operation = Cropping2D(top: top, bottom: bottom, left: left, right: right)
    self.name = name
  }
}

extension CroppingLayer where Space == Line {
  /// Creates a crop that removes the first and last steps.
  public init(before: Int = 0, after: Int = 0, name: String? = nil) {
    operation = Operators.Cropping1D(before: before, after: after)
    self.name = name
  }
}
