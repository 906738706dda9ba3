import ModelIR

/// The middle of an image; of one that is too small, the middle enlarged.
public struct CenterCrop: Operator, SamplingOperator {
  /// The name in documents.
  public static let name = "CenterCrop"

  /// Height and width of the result.
  public let size: Size2D

  /// The middle of `size`.
  public init(size: Size2D) {
    self.size = size
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case size
  }

  /// Reads the attribute.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(size: try attributes.decode(Size2D.self, forKey: .size))
  }

  /// Rows and columns at the edges go.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// What is left depends on places.
  public var orderDependence: OrderDependence { .full }

  /// Some are left out, or the image is resized.
  public var valueEffect: ValueEffect { .moved }

  /// The pixels that one is mixed from.
  public func fanIn(of inputs: [[Int]]) -> Int { sampling(of: inputs[0]).largestMixture }

  /// The size, and the channels of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    try enlargement.outputShape(for: inputs)
  }

  /// y[h, w, c] = x[h + top, w + left, c]; of an image that is too small, what ``Resizing`` makes of its middle.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    _ = try outputShape(for: inputs.map { Shape($0.shape) })
    return try sampling(of: inputs[0].shape).evaluate(inputs[0])
  }

  /// What makes up each pixel, for an image of `shape`.
  package func sampling(of shape: [Int]) -> ImageSampling {
    let (height, width) = (shape[0] - size.height, shape[1] - size.width)
    guard height >= 0, width >= 0 else { return enlargement.sampling(of: shape) }
    return ImageSampling(
      rows: ImageSampling.copy(size.height, from: height / 2),
      columns: ImageSampling.copy(size.width, from: width / 2))
  }

  private var enlargement: Resizing { Resizing(size: size, proportion: .crop) }
}
