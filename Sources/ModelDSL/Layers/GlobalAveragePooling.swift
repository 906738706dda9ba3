import ModelIR
import Operators

/// The mean of each channel: ``GlobalAveragePooling`` of images, ``GlobalAveragePooling1D`` of sequences.
public struct GlobalAveragePoolingLayer<Space: SpatialAxes>: NetworkLayer {
  /// What it is called.
  public let name: String?
  /// `pool`.
  public var kind: String { "pool" }
  /// `GlobalAveragePooling2D` or `GlobalAveragePooling1D`.
  public let operation: any Operator

  /// A pooling over the whole input.
  ///
  /// - Parameters:
  ///   - keepDimensions: whether the result is an image of one pixel, or a sequence of one step.
  ///   - name: what it is called.
  public init(keepDimensions: Bool = false, name: String? = nil) {
    operation = SpatialGlobalAveragePooling<Space>(keepDimensions: keepDimensions)
    self.name = name
  }
}

/// The mean of each channel of an image.
public typealias GlobalAveragePooling = GlobalAveragePoolingLayer<Plane>

/// The mean of each channel of a sequence.
public typealias GlobalAveragePooling1D = GlobalAveragePoolingLayer<Line>
