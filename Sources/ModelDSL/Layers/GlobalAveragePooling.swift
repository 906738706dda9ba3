import ModelIR
import Operators

/// Global average pooling: ``GlobalAveragePooling`` of images, ``GlobalAveragePooling1D`` of sequences.
public struct GlobalAveragePoolingLayer<Space: SpatialAxes>: NetworkLayer {
  /// The layer's name.
  public let name: String?
  /// The prefix of default names, `pool`.
  public var kind: String { "pool" }
  /// The operator, `GlobalAveragePooling2D` or `GlobalAveragePooling1D`.
  public let operation: any Operator

  /// Creates a pooling over the whole input.
  ///
  /// - Parameters:
  ///   - keepDimensions: true for an image of one pixel, or a sequence of one step, as the result.
  ///   - name: the layer's name.
  public init(keepDimensions: Bool = false, name: String? = nil) {
    operation = SpatialGlobalAveragePooling<Space>(keepDimensions: keepDimensions)
    self.name = name
  }
}

/// The mean of each channel of an image.
public typealias GlobalAveragePooling = GlobalAveragePoolingLayer<Plane>

/// The mean of each channel of a sequence.
public typealias GlobalAveragePooling1D = GlobalAveragePoolingLayer<Line>
