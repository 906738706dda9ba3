import ModelIR

/// The largest value of each channel.
public struct SpatialGlobalMaxPooling<Space: SpatialAxes>: Operator {
  /// The name in documents: `GlobalMaxPooling2D`.
  public static var name: String { Space.name("GlobalMaxPooling") }

  /// Whether the spatial axes stay, with size 1.
  public let keepDimensions: Bool

  /// A pooling over the whole input.
  public init(keepDimensions: Bool = false) {
    self.keepDimensions = keepDimensions
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case keepDimensions
  }

  /// Reads the attribute, by default false.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(keepDimensions: try attributes.value(.keepDimensions, default: false))
  }

  /// Places become one.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// Places are told from channels.
  public var orderDependence: OrderDependence { .full }

  /// The largest of each channel.
  public var valueEffect: ValueEffect { .computed }

  /// The places of the input.
  public func fanIn(of inputs: [[Int]]) -> Int { inputs[0].dropLast().reduce(1, *) }

  /// (…, channels) to (channels), or (1, …, channels).
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let channels = try inputs[0].spatial(Space.self).channels
    return Shape(keptAxes.map { $0 } + [channels])
  }

  /// y[c] = the largest value of x[…, c].
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

/// A pooling over whole sequences: (length, channels).
public typealias GlobalMaxPooling1D = SpatialGlobalMaxPooling<Line>

/// A pooling over whole images: (height, width, channels).
public typealias GlobalMaxPooling2D = SpatialGlobalMaxPooling<Plane>

extension SpatialGlobalMaxPooling: LineOperator where Space == Line {
  /// The same over images of one row.
  package var planar: GlobalMaxPooling2D { GlobalMaxPooling2D(keepDimensions: keepDimensions) }
}

extension SpatialGlobalMaxPooling: PoolingOperator {
  /// The mean of all places.
  package var counterpart: any Operator {
    SpatialGlobalAveragePooling<Space>(keepDimensions: keepDimensions)
  }
}
