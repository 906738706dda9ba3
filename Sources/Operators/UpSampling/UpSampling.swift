import ModelIR

/// An image or a sequence enlarged by integer factors.
public struct SpatialUpSampling<Space: SpatialAxes>: Operator, SamplingOperator {
  /// The operator's name in documents, such as `UpSampling2D`.
  public static var name: String { Space.name("UpSampling") }

  /// The factor of each spatial axis.
  public let size: SpatialSize<Space>
  /// The interpolation method.
  public let interpolation: Interpolation

  /// Creates an enlargement by the factors `size`.
  public init(size: SpatialSize<Space>, interpolation: Interpolation = .nearest) {
    self.size = size
    self.interpolation = interpolation
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case size
    case interpolation
  }

  /// Decodes the attributes; by default pixels are repeated.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      size: try attributes.decode(SpatialSize<Space>.self, forKey: .size),
      interpolation: try attributes.value(.interpolation, default: .nearest))
  }

  /// Values are repeated.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// The result depends on which pixels are adjacent.
  public var orderDependence: OrderDependence { .full }

  /// Values are repeated, or mixed with neighbours.
  public var valueEffect: ValueEffect { .moved }

  /// The number of pixels that contribute to an output pixel.
  public func fanIn(of inputs: [[Int]]) -> Int { sampling(of: inputs[0]).largestMixture }

  /// Returns the shape: each spatial axis is multiplied by its factor.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = try inputs[0].spatial(Space.self)
    try checkSizes("size", size)
    var dimensions: [Int?] = []
    for (length, factor) in zip(input.lengths, size.sizes) {
      if let length {
        dimensions.append(try product([length, factor]))
      } else {
        dimensions.append(nil)
      }
    }
    return Shape(dimensions + [input.channels])
  }

  /// y[h, w, c] = Σ rₕ[i] · r_w[j] · x[i, j, c], with the weights r of the interpolation.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let shape = try outputShape(for: inputs.map { Shape($0.shape) })
    guard let size = shape.known else { throw .unknownSize(shape) }
    let image = inputs[0].reshaped(inputs[0].shape.planar)
    return try sampling(of: inputs[0].shape).evaluate(image).reshaped(size)
  }

  /// Returns the sampling weights for an image of `shape`; a sequence is an image of one row.
  package func sampling(of shape: [Int]) -> ImageSampling {
    let shape = shape.planar
    let factors = [Int](repeating: 1, count: 2 - Space.count) + size.sizes
    return ImageSampling(
      rows: interpolation.taps(shape[0] * factors[0], from: shape[0]),
      columns: interpolation.taps(shape[1] * factors[1], from: shape[1]))
  }
}

/// Enlargement of sequences: (length, channels).
public typealias UpSampling1D = SpatialUpSampling<Line>

/// Enlargement of images: (height, width, channels).
public typealias UpSampling2D = SpatialUpSampling<Plane>

extension SpatialUpSampling: LineOperator where Space == Line {
  /// The equivalent for images with one row.
  package var planar: UpSampling2D {
    UpSampling2D(size: size.planar, interpolation: interpolation)
  }
}
