import ModelIR
import Operators

/// An adaptive pooling: the maximum or the mean of each window; together the windows cover the input.
public struct AdaptivePoolingLayer<Pooling: AdaptivePoolingOperator>: NetworkLayer {
  /// The layer's name.
  public let name: String?
  /// The prefix of default names, `pool`.
  public var kind: String { "pool" }
  /// The operator, `AdaptiveMaxPooling2D`, `AdaptiveAveragePooling1D` and so on.
  public let operation: any Operator
}

/// Adaptive max pooling of images.
public typealias AdaptiveMaxPooling = AdaptivePoolingLayer<AdaptiveMaxPooling2D>

/// Adaptive max pooling of sequences.
public typealias AdaptiveMaxPooling1D = AdaptivePoolingLayer<Operators.AdaptiveMaxPooling1D>

/// Adaptive average pooling of images.
public typealias AdaptiveAveragePooling = AdaptivePoolingLayer<AdaptiveAveragePooling2D>

/// Adaptive average pooling of sequences.
public typealias AdaptiveAveragePooling1D = AdaptivePoolingLayer<Operators.AdaptiveAveragePooling1D>

extension AdaptivePoolingLayer where Pooling.Space == Plane {
  /// Creates a pooling with an output size of (width, height).
  public init(size: (width: Int, height: Int), name: String? = nil) {
    operation = Pooling(outputSize: Size2D(size))
    self.name = name
  }
}

extension AdaptivePoolingLayer where Pooling.Space == Line {
  /// Creates a pooling with an output of `size` steps.
  public init(size: Int, name: String? = nil) {
    operation = Pooling(outputSize: Size1D(size))
    self.name = name
  }
}
