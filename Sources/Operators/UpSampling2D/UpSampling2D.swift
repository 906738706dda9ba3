import ModelIR

/// An image enlarged by whole numbers.
public struct UpSampling2D: Operator, SamplingOperator {
  /// The name in documents.
  public static let name = "UpSampling2D"

  /// By how much height and width grow.
  public let size: Size2D
  /// How the new pixels come about.
  public let interpolation: Interpolation

  /// An enlargement by `size`.
  public init(size: Size2D, interpolation: Interpolation = .nearest) {
    self.size = size
    self.interpolation = interpolation
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case size
    case interpolation
  }

  /// Reads the attributes; pixels are repeated by default.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      size: try attributes.decode(Size2D.self, forKey: .size),
      interpolation: try attributes.value(.interpolation, default: .nearest))
  }

  /// Neighbours are mixed.
  public var orderDependence: OrderDependence { .full }

  /// They are repeated, or mixed with neighbours.
  public var valueEffect: ValueEffect { .moved }

  /// The pixels that one is mixed from.
  public func fanIn(of inputs: [[Int]]) -> Int { sampling(of: inputs[0]).largestMixture }

  /// Height and width times the size.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = try inputs[0].image()
    try checkSizes(("size", size.height), ("size", size.width))
    var dimensions: [Int?] = []
    for (length, factor) in [(input.height, size.height), (input.width, size.width)] {
      if let length {
        dimensions.append(try product([length, factor]))
      } else {
        dimensions.append(nil)
      }
    }
    return Shape(dimensions + [input.channels])
  }

  /// y[h, w, c] = Σ rₕ[i] · r_w[j] · x[i, j, c], with the shares r that the interpolation gives to pixels.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    _ = try outputShape(for: inputs.map { Shape($0.shape) })
    return try sampling(of: inputs[0].shape).evaluate(inputs[0])
  }

  /// What makes up each pixel, for an image of `shape`.
  package func sampling(of shape: [Int]) -> ImageSampling {
    ImageSampling(
      rows: interpolation.taps(shape[0] * size.height, from: shape[0]),
      columns: interpolation.taps(shape[1] * size.width, from: shape[1]))
  }
}
