import ModelIR

/// Adaptive max pooling: the maximum of each window, per channel; together the windows cover the input.
public struct SpatialAdaptiveMaxPooling<Space: SpatialAxes>: AdaptivePoolingOperator {
  /// The operator's name in documents, such as `AdaptiveMaxPooling2D`.
  public static var name: String { Space.name("AdaptiveMaxPooling") }

  /// The number of windows along each axis.
  public let outputSize: SpatialSize<Space>

  /// Creates a pooling with the given number of windows.
  public init(outputSize: SpatialSize<Space>) { self.outputSize = outputSize }

  /// Returns the largest value; NaN propagates.
  public func reduced(_ values: [Double]) -> Double {
    values.contains(where: \.isNaN) ? .nan : values.max() ?? 0
  }
}

/// Pooling of sequences: (length, channels).
public typealias AdaptiveMaxPooling1D = SpatialAdaptiveMaxPooling<Line>

/// Pooling of images: (height, width, channels).
public typealias AdaptiveMaxPooling2D = SpatialAdaptiveMaxPooling<Plane>

/// Pooling of volumes: (depth, height, width, channels).
public typealias AdaptiveMaxPooling3D = SpatialAdaptiveMaxPooling<Volume>

extension SpatialAdaptiveMaxPooling: LineOperator where Space == Line {
  /// The equivalent for images with one row.
  package var planar: AdaptiveMaxPooling2D {
    AdaptiveMaxPooling2D(outputSize: outputSize.planar)
  }
}

extension SpatialAdaptiveMaxPooling: PoolingOperator {
  /// The mean of each window instead of the maximum.
  package var counterpart: any Operator {
    SpatialAdaptiveAveragePooling(outputSize: outputSize)
  }
}
