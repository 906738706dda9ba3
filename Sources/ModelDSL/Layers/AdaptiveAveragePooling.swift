import ModelIR
import Operators

/// The mean of each of a number of windows that together cover the input: ``AdaptiveAveragePooling`` of images,
/// ``AdaptiveAveragePooling1D`` of sequences.
public struct AdaptiveAveragePoolingLayer<Space: SpatialAxes>: NetworkLayer {
  /// What it is called.
  public let name: String?
  /// `pool`.
  public var kind: String { "pool" }
  /// `AdaptiveAveragePooling2D` or `AdaptiveAveragePooling1D`.
  public let operation: any Operator
}

/// The mean of each of a number of windows that together cover an image.
public typealias AdaptiveAveragePooling = AdaptiveAveragePoolingLayer<Plane>

/// The mean of each of a number of windows that together cover a sequence.
public typealias AdaptiveAveragePooling1D = AdaptiveAveragePoolingLayer<Line>

extension AdaptiveAveragePoolingLayer where Space == Plane {
  /// A pooling into an image of a size, (width, height).
  public init(size: (width: Int, height: Int), name: String? = nil) {
    operation = AdaptiveAveragePooling2D(outputSize: Size2D(size))
    self.name = name
  }
}

extension AdaptiveAveragePoolingLayer where Space == Line {
  /// A pooling into a number of steps.
  public init(size: Int, name: String? = nil) {
    operation = Operators.AdaptiveAveragePooling1D(outputSize: Size1D(size))
    self.name = name
  }
}
