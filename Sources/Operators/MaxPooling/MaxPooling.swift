import ModelIR

/// The maximum of each window, per channel.
///
/// Padding is never the maximum: it is not part of any window.
public struct SpatialMaxPooling<Space: SpatialAxes>: WindowedOperator {
  /// The operator's name in documents, such as `MaxPooling2D`.
  public static var name: String { Space.name("MaxPooling") }

  /// The size of the window.
  public private(set) var poolSize: SpatialSize<Space>
  /// The stride between windows; by default windows do not overlap.
  public private(set) var strides: SpatialSize<Space>
  /// The padding at the edges.
  public private(set) var padding: Padding

  /// Creates a pooling with windows of `poolSize`.
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

  /// Decodes the attributes; only the size has no default.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      poolSize: try attributes.decode(SpatialSize<Space>.self, forKey: .poolSize),
      strides: try attributes.decodeIfPresent(SpatialSize<Space>.self, forKey: .strides),
      padding: try attributes.value(.padding, default: .valid))
  }

  /// The sliding window, which has no dilation.
  public var window: Window<Space> {
    get { Window<Space>(size: poolSize, strides: strides, padding: padding) }
    set { (poolSize, strides, padding) = (newValue.size, newValue.strides, newValue.padding) }
  }

  /// Values below all others, which are never the maximum.
  package var surroundings: Surroundings { .lowest }

  /// Each window is reduced to one value.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// The result depends on which values are adjacent.
  public var orderDependence: OrderDependence { .full }

  /// Windows are reduced to their maximum.
  public var valueEffect: ValueEffect { .computed }

  /// The number of values in a window.
  public func fanIn(of inputs: [[Int]]) -> Int { window.size.count }

  /// Returns the shape: the channels stay the same.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = try inputs[0].spatial(Space.self)
    try window.check(sizeName: "poolSize")
    return Shape(window.outputSize(input.lengths) + [input.channels])
  }

  /// y[p, c] = the largest x in the window at position p.
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

/// Pooling of sequences: (length, channels).
public typealias MaxPooling1D = SpatialMaxPooling<Line>

/// Pooling of images: (height, width, channels).
public typealias MaxPooling2D = SpatialMaxPooling<Plane>

/// Pooling of volumes: (depth, height, width, channels).
public typealias MaxPooling3D = SpatialMaxPooling<Volume>

extension SpatialMaxPooling: LineOperator where Space == Line {
  /// The equivalent for images with one row.
  package var planar: MaxPooling2D {
    MaxPooling2D(poolSize: poolSize.planar, strides: strides.planar, padding: padding.planar)
  }
}

extension SpatialMaxPooling: PoolingOperator {
  /// The mean of each window instead of the maximum.
  package var counterpart: any Operator {
    SpatialAveragePooling(poolSize: poolSize, strides: strides, padding: padding)
  }
}
