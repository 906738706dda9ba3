import ModelIR

/// The mean of each window, per channel, of windows that together cover the input.
public struct SpatialAdaptiveAveragePooling<Space: SpatialAxes>: AdaptivePoolingOperator {
  /// The name in documents: `AdaptiveAveragePooling2D`.
  public static var name: String { Space.name("AdaptiveAveragePooling") }

  /// The number of windows along each axis.
  public let outputSize: SpatialSize<Space>

  /// A pooling into `outputSize`.
  public init(outputSize: SpatialSize<Space>) { self.outputSize = outputSize }

  /// Their mean.
  public func reduced(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
}

/// A pooling over sequences: (length, channels).
public typealias AdaptiveAveragePooling1D = SpatialAdaptiveAveragePooling<Line>

/// A pooling over images: (height, width, channels).
public typealias AdaptiveAveragePooling2D = SpatialAdaptiveAveragePooling<Plane>

extension SpatialAdaptiveAveragePooling: LineOperator where Space == Line {
  /// The same over images of one row.
  package var planar: AdaptiveAveragePooling2D {
    AdaptiveAveragePooling2D(outputSize: outputSize.planar)
  }
}

extension SpatialAdaptiveAveragePooling: PoolingOperator {
  /// The largest value of each window.
  package var counterpart: any Operator { SpatialAdaptiveMaxPooling(outputSize: outputSize) }
}
