import ModelIR
import Operators

/// One value of each of a number of windows that together cover the input: the largest or the mean.
public struct AdaptivePoolingLayer<Pooling: AdaptivePoolingOperator>: NetworkLayer {
  /// What it is called.
  public let name: String?
  /// `pool`.
  public var kind: String { "pool" }
  /// `AdaptiveMaxPooling2D`, `AdaptiveAveragePooling1D` and so on.
  public let operation: any Operator
}

/// The largest value of each of a number of windows that together cover an image.
public typealias AdaptiveMaxPooling = AdaptivePoolingLayer<AdaptiveMaxPooling2D>

/// The largest value of each of a number of windows that together cover a sequence.
public typealias AdaptiveMaxPooling1D = AdaptivePoolingLayer<Operators.AdaptiveMaxPooling1D>

/// The mean of each of a number of windows that together cover an image.
public typealias AdaptiveAveragePooling = AdaptivePoolingLayer<AdaptiveAveragePooling2D>

/// The mean of each of a number of windows that together cover a sequence.
public typealias AdaptiveAveragePooling1D = AdaptivePoolingLayer<Operators.AdaptiveAveragePooling1D>

extension AdaptivePoolingLayer where Pooling.Space == Plane {
  /// A pooling into an image of a size, (width, height).
  public init(size: (width: Int, height: Int), name: String? = nil) {
    operation = Pooling(outputSize: Size2D(size))
    self.name = name
  }
}

extension AdaptivePoolingLayer where Pooling.Space == Line {
  /// A pooling into a number of steps.
  public init(size: Int, name: String? = nil) {
    operation = Pooling(outputSize: Size1D(size))
    self.name = name
  }
}
