import ModelIR
import Operators

/// The largest value of each of a number of windows that together cover the input: ``AdaptiveMaxPooling`` of images,
/// ``AdaptiveMaxPooling1D`` of sequences.
public struct AdaptiveMaxPoolingLayer<Space: SpatialAxes>: NetworkLayer {
  /// What it is called.
  public let name: String?
  /// `pool`.
  public var kind: String { "pool" }
  /// `AdaptiveMaxPooling2D` or `AdaptiveMaxPooling1D`.
  public let operation: any Operator
}

/// The largest value of each of a number of windows that together cover an image.
public typealias AdaptiveMaxPooling = AdaptiveMaxPoolingLayer<Plane>

/// The largest value of each of a number of windows that together cover a sequence.
public typealias AdaptiveMaxPooling1D = AdaptiveMaxPoolingLayer<Line>

extension AdaptiveMaxPoolingLayer where Space == Plane {
  /// A pooling into an image of a size, (width, height).
  public init(size: (width: Int, height: Int), name: String? = nil) {
    operation = AdaptiveMaxPooling2D(outputSize: Size2D(size))
    self.name = name
  }
}

extension AdaptiveMaxPoolingLayer where Space == Line {
  /// A pooling into a number of steps.
  public init(size: Int, name: String? = nil) {
    operation = Operators.AdaptiveMaxPooling1D(outputSize: Size1D(size))
    self.name = name
  }
}
