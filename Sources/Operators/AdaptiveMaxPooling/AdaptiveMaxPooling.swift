import ModelIR

/// The largest value of each window, per channel, of windows that together cover the input.
public struct SpatialAdaptiveMaxPooling<Space: SpatialAxes>: AdaptivePoolingOperator {
  /// The name in documents: `AdaptiveMaxPooling2D`.
  public static var name: String { Space.name("AdaptiveMaxPooling") }

  /// The number of windows along each axis.
  public let outputSize: SpatialSize<Space>

  /// A pooling into `outputSize`.
  public init(outputSize: SpatialSize<Space>) { self.outputSize = outputSize }

  /// The largest; a NaN among them wins.
  public func reduced(_ values: [Double]) -> Double {
    values.contains(where: \.isNaN) ? .nan : values.max() ?? 0
  }
}

/// A pooling over sequences: (length, channels).
public typealias AdaptiveMaxPooling1D = SpatialAdaptiveMaxPooling<Line>

/// A pooling over images: (height, width, channels).
public typealias AdaptiveMaxPooling2D = SpatialAdaptiveMaxPooling<Plane>

extension SpatialAdaptiveMaxPooling: LineOperator where Space == Line {
  /// The same over images of one row.
  package var planar: AdaptiveMaxPooling2D {
    AdaptiveMaxPooling2D(outputSize: outputSize.planar)
  }
}

extension SpatialAdaptiveMaxPooling: PoolingOperator {
  /// The mean of each window.
  package var counterpart: any Operator {
    SpatialAdaptiveAveragePooling(outputSize: outputSize)
  }
}
