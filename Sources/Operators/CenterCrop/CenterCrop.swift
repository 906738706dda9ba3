import ModelIR

/// A crop of the centre of an image; an image that is too small is enlarged first.
public struct CenterCrop: Operator, SamplingOperator {
  /// The operator's name in documents.
  public static let name = "CenterCrop"

  /// The height and width of the output.
  public let size: Size2D

  /// Creates a crop to `size`.
  public init(size: Size2D) {
    self.size = size
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case size
  }

  /// Decodes the attribute.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(size: try attributes.decode(Size2D.self, forKey: .size))
  }

  /// Rows and columns at the edges are removed.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// The result depends on the indices of values.
  public var orderDependence: OrderDependence { .full }

  /// Values are dropped, or the image is resized.
  public var valueEffect: ValueEffect { .moved }

  /// The number of pixels that contribute to an output pixel.
  public func fanIn(of inputs: [[Int]]) -> Int { sampling(of: inputs[0]).largestMixture }

  /// Returns the output size with the channels of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    try enlargement.outputShape(for: inputs)
  }

  /// y[h, w, c] = x[h + top, w + left, c]; an image that is too small is enlarged by ``Resizing``.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    _ = try outputShape(for: inputs.map { Shape($0.shape) })
    return try sampling(of: inputs[0].shape).evaluate(inputs[0])
  }

  /// Returns the sampling weights for an image of the given shape.
  package func sampling(of shape: [Int]) -> ImageSampling {
    let (height, width) = (shape[0] - size.height, shape[1] - size.width)
    guard height >= 0, width >= 0 else { return enlargement.sampling(of: shape) }
    return ImageSampling(
      rows: ImageSampling.copy(size.height, from: height / 2),
      columns: ImageSampling.copy(size.width, from: width / 2))
  }

  private var enlargement: Resizing { Resizing(size: size, proportion: .crop) }
}
