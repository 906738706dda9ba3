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
  public func fanIn(of inputs: [[Int]]) -> Int {
    let depth = Space.count == 3 ? depthTaps(of: inputs[0]).map(\.count).max() ?? 0 : 1
    return depth * sampling(of: inputs[0]).largestMixture
  }

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

  /// y[h, w, c] = Σ rₕ[i] · r_w[j] · x[i, j, c], with the weights r of the interpolation; for volumes also along the depth.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let shape = try outputShape(for: inputs.map { Shape($0.shape) })
    guard let size = shape.known else { throw .unknownSize(shape) }
    let x = inputs[0]
    let sampling = sampling(of: x.shape)
    guard Space.count == 3 else {
      return try sampling.evaluate(x.reshaped(x.shape.planar)).reshaped(size)
    }
    let slice = Array(x.shape.dropFirst())
    let count = slice.reduce(1, *)
    let slices = try ImageSampling(
      rows: depthTaps(of: x.shape), columns: ImageSampling.copy(1, from: 0)
    ).evaluate(x.reshaped([x.shape[0], 1, count]))
    var y = try NDArray<Double>(shape: size)
    let outputCount = y.count / size[0]
    for index in 0..<size[0] {
      let values = Array(slices.values[index * count..<(index + 1) * count])
      let larger = try sampling.evaluate(NDArray(shape: slice, values: values))
      y.values.replaceSubrange(
        index * outputCount..<(index + 1) * outputCount, with: larger.values)
    }
    return y
  }

  /// Returns the sampling weights for an image of `shape`, or for each slice of a volume; a sequence is an image of one
  /// row.
  package func sampling(of shape: [Int]) -> ImageSampling {
    let shape = shape.planar.suffix(3)
    let factors = ([1] + size.sizes).suffix(2)
    let taps = zip(shape, factors).map { interpolation.taps($0 * $1, from: $0) }
    return ImageSampling(rows: taps[0], columns: taps[1])
  }

  /// Returns the slices of a volume of `shape` that contribute to each slice of the result, with their weights.
  package func depthTaps(of shape: [Int]) -> [[ImageTap]] {
    interpolation.taps(shape[0] * size.sizes[0], from: shape[0])
  }
}

/// Enlargement of sequences: (length, channels).
public typealias UpSampling1D = SpatialUpSampling<Line>

/// Enlargement of images: (height, width, channels).
public typealias UpSampling2D = SpatialUpSampling<Plane>

/// Enlargement of volumes: (depth, height, width, channels).
public typealias UpSampling3D = SpatialUpSampling<Volume>

extension SpatialUpSampling: LineOperator where Space == Line {
  /// The equivalent for images with one row.
  package var planar: UpSampling2D {
    UpSampling2D(size: size.planar, interpolation: interpolation)
  }
}
