import ModelIR

/// Adaptive average pooling: the mean of each window, per channel; together the windows cover the input.
public struct SpatialAdaptiveAveragePooling<Space: SpatialAxes>: AdaptivePoolingOperator {
  /// The operator's name in documents, such as `AdaptiveAveragePooling2D`.
  public static var name: String { Space.name("AdaptiveAveragePooling") }

  /// The number of windows along each axis.
  public let outputSize: SpatialSize<Space>

  /// Creates a pooling with the given number of windows.
  public init(outputSize: SpatialSize<Space>) { self.outputSize = outputSize }

  /// Returns the mean of the values.
  public func reduced(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
}

/// Pooling of sequences: (length, channels).
public typealias AdaptiveAveragePooling1D = SpatialAdaptiveAveragePooling<Line>

/// Pooling of images: (height, width, channels).
public typealias AdaptiveAveragePooling2D = SpatialAdaptiveAveragePooling<Plane>

/// Pooling of volumes: (depth, height, width, channels).
public typealias AdaptiveAveragePooling3D = SpatialAdaptiveAveragePooling<Volume>

extension SpatialAdaptiveAveragePooling: LineOperator where Space == Line {
  /// The equivalent for images with one row.
  package var planar: AdaptiveAveragePooling2D {
    AdaptiveAveragePooling2D(outputSize: outputSize.planar)
  }
}

extension SpatialAdaptiveAveragePooling: PoolingOperator {
  /// The maximum of each window instead of the mean.
  package var counterpart: any Operator { SpatialAdaptiveMaxPooling(outputSize: outputSize) }
}
