import ModelIR
import Operators

/// The largest value of each channel: ``GlobalMaxPooling`` of images, ``GlobalMaxPooling1D`` of sequences.
public struct GlobalMaxPoolingLayer<Space: SpatialAxes>: NetworkLayer {
  /// What it is called.
  public let name: String?
  /// `pool`.
  public var kind: String { "pool" }
  /// `GlobalMaxPooling2D` or `GlobalMaxPooling1D`.
  public let operation: any Operator

  /// A pooling over the whole input.
  ///
  /// - Parameters:
  ///   - keepDimensions: whether the result is an image of one pixel, or a sequence of one step.
  ///   - name: what it is called.
  public init(keepDimensions: Bool = false, name: String? = nil) {
    operation = SpatialGlobalMaxPooling<Space>(keepDimensions: keepDimensions)
    self.name = name
  }
}

/// The largest value of each channel of an image.
public typealias GlobalMaxPooling = GlobalMaxPoolingLayer<Plane>

/// The largest value of each channel of a sequence.
public typealias GlobalMaxPooling1D = GlobalMaxPoolingLayer<Line>
