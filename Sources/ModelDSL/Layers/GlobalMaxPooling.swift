import ModelIR
import Operators

/// Global max pooling: ``GlobalMaxPooling`` of images, ``GlobalMaxPooling1D`` of sequences.
public struct GlobalMaxPoolingLayer<Space: SpatialAxes>: NetworkLayer {
  /// The layer's name.
  public let name: String?
  /// The prefix of default names, `pool`.
  public var kind: String { "pool" }
  /// The operator, `GlobalMaxPooling2D` or `GlobalMaxPooling1D`.
  public let operation: any Operator

  /// Creates a pooling over the whole input.
  ///
  /// - Parameters:
  ///   - keepDimensions: true for an image of one pixel, or a sequence of one step, as the result.
  ///   - name: the layer's name.
  public init(keepDimensions: Bool = false, name: String? = nil) {
    operation = SpatialGlobalMaxPooling<Space>(keepDimensions: keepDimensions)
    self.name = name
  }
}

/// The maximum of each channel of an image.
public typealias GlobalMaxPooling = GlobalMaxPoolingLayer<Plane>

/// The maximum of each channel of a sequence.
public typealias GlobalMaxPooling1D = GlobalMaxPoolingLayer<Line>
