import ModelIR

/// The largest value of each channel.
public struct SpatialGlobalMaxPooling<Space: SpatialAxes>: Operator {
  /// The operator's name in documents, such as `GlobalMaxPooling2D`.
  public static var name: String { Space.name("GlobalMaxPooling") }

  /// True if the spatial axes are kept, with size 1.
  public let keepDimensions: Bool

  /// Creates a pooling over the whole input.
  public init(keepDimensions: Bool = false) {
    self.keepDimensions = keepDimensions
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case keepDimensions
  }

  /// Decodes the attribute; the default is false.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(keepDimensions: try attributes.value(.keepDimensions, default: false))
  }

  /// All positions are reduced to one.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// The result distinguishes positions from channels.
  public var orderDependence: OrderDependence { .full }

  /// Values are reduced to the maximum of each channel.
  public var valueEffect: ValueEffect { .computed }

  /// The number of positions in the input.
  public func fanIn(of inputs: [[Int]]) -> Int { inputs[0].dropLast().reduce(1, *) }

  /// Returns the shape: (…, channels) becomes (channels), or (1, …, channels).
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let channels = try inputs[0].spatial(Space.self).channels
    return Shape(keptAxes.map { $0 } + [channels])
  }

  /// y[c] = the maximum of x[…, c].
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let x = inputs[0]
    let channels = x.shape[Space.count]
    let y = (0..<channels).map { c in
      let channel = stride(from: c, to: x.count, by: channels).map { x.values[$0] }
      return channel.contains(where: \.isNaN) ? .nan : channel.max() ?? 0
    }
    return NDArray(shape: keptAxes + [channels], values: y)
  }

  private var keptAxes: [Int] { [Int](repeating: 1, count: keepDimensions ? Space.count : 0) }
}

/// Pooling of whole sequences: (length, channels).
public typealias GlobalMaxPooling1D = SpatialGlobalMaxPooling<Line>

/// Pooling of whole images: (height, width, channels).
public typealias GlobalMaxPooling2D = SpatialGlobalMaxPooling<Plane>

/// Pooling of whole volumes: (depth, height, width, channels).
public typealias GlobalMaxPooling3D = SpatialGlobalMaxPooling<Volume>

extension SpatialGlobalMaxPooling: LineOperator where Space == Line {
  /// The equivalent for images with one row.
  package var planar: GlobalMaxPooling2D { GlobalMaxPooling2D(keepDimensions: keepDimensions) }
}

extension SpatialGlobalMaxPooling: PoolingOperator {
  /// The mean instead of the maximum.
  package var counterpart: any Operator {
    SpatialGlobalAveragePooling<Space>(keepDimensions: keepDimensions)
  }
}
