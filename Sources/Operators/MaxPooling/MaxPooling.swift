import ModelIR

/// The largest value of each window, per channel.
///
/// Padding never wins: it is not part of any window.
public struct SpatialMaxPooling<Space: SpatialAxes>: WindowedOperator {
  /// The name in documents: `MaxPooling2D`.
  public static var name: String { Space.name("MaxPooling") }

  /// The size of the window.
  public private(set) var poolSize: SpatialSize<Space>
  /// The distance of two windows; by default windows do not overlap.
  public private(set) var strides: SpatialSize<Space>
  /// What happens at the edges.
  public private(set) var padding: Padding

  /// A pooling over `poolSize`.
  public init(
    poolSize: SpatialSize<Space>, strides: SpatialSize<Space>? = nil, padding: Padding = .valid
  ) {
    self.poolSize = poolSize
    self.strides = strides ?? poolSize
    self.padding = padding
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case poolSize
    case strides
    case padding
  }

  /// Reads the attributes; only the size has no default.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      poolSize: try attributes.decode(SpatialSize<Space>.self, forKey: .poolSize),
      strides: try attributes.decodeIfPresent(SpatialSize<Space>.self, forKey: .strides),
      padding: try attributes.value(.padding, default: .valid))
  }

  /// The sliding window; it has no dilation.
  public var window: Window<Space> {
    get { Window<Space>(size: poolSize, strides: strides, padding: padding) }
    set { (poolSize, strides, padding) = (newValue.size, newValue.strides, newValue.padding) }
  }

  /// Nothing that could be the largest.
  package var surroundings: Surroundings { .lowest }

  /// Windows become values.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// Windows have neighbours.
  public var orderDependence: OrderDependence { .full }

  /// The largest of each window.
  public var valueEffect: ValueEffect { .computed }

  /// The values of a window.
  public func fanIn(of inputs: [[Int]]) -> Int { window.size.count }

  /// (…, channels) to (…, channels).
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = try inputs[0].spatial(Space.self)
    try window.check(sizeName: "poolSize")
    return Shape(window.outputSize(input.lengths) + [input.channels])
  }

  /// y[p, c] = the largest x under the window at place p.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let shape = try outputShape(for: [Shape(inputs[0].shape)])
    guard let size = shape.known else { throw .unknownSize(shape) }
    return try window.pooled(inputs[0], shape: size) { values in
      values.contains(where: \.isNaN) ? .nan : values.max() ?? 0
    }
  }
}

/// A pooling over sequences: (length, channels).
public typealias MaxPooling1D = SpatialMaxPooling<Line>

/// A pooling over images: (height, width, channels).
public typealias MaxPooling2D = SpatialMaxPooling<Plane>

extension SpatialMaxPooling: LineOperator where Space == Line {
  /// The same over images of one row.
  package var planar: MaxPooling2D {
    MaxPooling2D(poolSize: poolSize.planar, strides: strides.planar, padding: padding.planar)
  }
}

extension SpatialMaxPooling: PoolingOperator {
  /// The mean of each window.
  package var counterpart: any Operator {
    SpatialAveragePooling(poolSize: poolSize, strides: strides, padding: padding)
  }
}
