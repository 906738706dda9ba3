import ModelIR

/// A resized image.
public struct Resizing: Operator, SamplingOperator {
  /// The treatment of images whose aspect ratio differs from that of the output.
  public enum Proportion: String, Sendable, Codable {
    /// The image is distorted.
    case stretch
    /// The image is cropped on two opposite sides first.
    case crop
    /// The image is padded on two opposite sides first, with a constant value.
    case pad
  }

  /// The operator's name in documents.
  public static let name = "Resizing"

  /// The height and width of the output.
  public let size: Size2D
  /// The interpolation method.
  public let interpolation: Interpolation
  /// True if the kernel is widened when downsampling, so that it covers all input pixels.
  public let antialias: Bool
  /// The treatment of other aspect ratios.
  public let proportion: Proportion
  /// The value of the padding, if there is any.
  public let fill: Double
  /// The mapping from output to input coordinates.
  public let coordinates: SamplingCoordinates

  /// Creates a resizing to `size`.
  public init(
    size: Size2D, interpolation: Interpolation = .bilinear, antialias: Bool = false,
    proportion: Proportion = .stretch, fill: Double = 0,
    coordinates: SamplingCoordinates = .halfPixel
  ) {
    self.size = size
    self.interpolation = interpolation
    self.antialias = antialias
    self.proportion = proportion
    self.fill = fill
    self.coordinates = coordinates
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case size
    case interpolation
    case antialias
    case proportion
    case fill
    case coordinates
  }

  /// Decodes the attributes; by default the image is distorted, with bilinear interpolation.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      size: try attributes.decode(Size2D.self, forKey: .size),
      interpolation: try attributes.value(.interpolation, default: .bilinear),
      antialias: try attributes.value(.antialias, default: false),
      proportion: try attributes.value(.proportion, default: .stretch),
      fill: try attributes.value(.fill, default: 0),
      coordinates: try attributes.value(.coordinates, default: .halfPixel))
  }

  /// Encodes the attributes; the coordinates only if they are not the default.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(size, forKey: .size)
    try container.encode(interpolation, forKey: .interpolation)
    try container.encode(antialias, forKey: .antialias)
    try container.encode(proportion, forKey: .proportion)
    try container.encode(fill, forKey: .fill)
    if coordinates != .halfPixel { try container.encode(coordinates, forKey: .coordinates) }
  }

  /// Pixels are interpolated.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// The result depends on which pixels are adjacent.
  public var orderDependence: OrderDependence { .full }

  /// Values are mixed with neighbours.
  public var valueEffect: ValueEffect { .moved }

  /// The number of pixels that contribute to an output pixel.
  public func fanIn(of inputs: [[Int]]) -> Int { sampling(of: inputs[0]).largestMixture }

  /// Returns the output size with the channels of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = try inputs[0].image()
    try checkSizes(("size", size.height), ("size", size.width))
    guard
      coordinates == .halfPixel || proportion == .stretch && !antialias && interpolation.hasCorners
    else { throw .wrongCoordinates(coordinates, interpolation) }
    return Shape([size.height, size.width, input.channels])
  }

  /// y[h, w, c] = Σ rₕ[i] · r_w[j] · x[i, j, c], with the weights r of the interpolation.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    _ = try outputShape(for: inputs.map { Shape($0.shape) })
    return try sampling(of: inputs[0].shape).evaluate(inputs[0])
  }

  /// Returns the sampling weights for an image of the given shape.
  package func sampling(of shape: [Int]) -> ImageSampling {
    let (height, width) = (shape[0], shape[1])
    // The side lengths of an image of the output's aspect ratio, in Float as in Keras.
    let fittingHeight = Int(Float(width * size.height) / Float(size.width))
    let fittingWidth = Int(Float(height * size.width) / Float(size.height))
    return ImageSampling(
      rows: taps(size.height, from: height, fitting: fittingHeight),
      columns: taps(size.width, from: width, fitting: fittingWidth), fill: fill)
  }

  private func taps(_ count: Int, from length: Int, fitting: Int) -> [[ImageTap]] {
    var (start, used) = (0, length)
    switch proportion {
    case .stretch: break
    case .crop:
      used = max(1, min(length, fitting))
      start = (length - used) / 2
    case .pad:
      // The same number on both sides, so that an odd pixel is left out.
      let added = max(0, fitting - length) / 2
      start = -added
      used = length + 2 * added
    }
    guard coordinates == .halfPixel else {
      return interpolation.taps(count, from: used, coordinates)
    }
    return interpolation.taps(count, from: used, antialias: antialias).map { taps in
      taps.map { ImageTap(pixel: $0.pixel + start, share: $0.share) }
        .filter { (0..<length).contains($0.pixel) }
    }
  }
}

extension NetconvError {
  fileprivate static func wrongCoordinates(
    _ coordinates: SamplingCoordinates, _ interpolation: Interpolation
  ) -> NetconvError {
    NetconvError(
      .badData,
      "coordinates are \(coordinates.rawValue) with \(interpolation.rawValue) interpolation; supported are "
        + "nearest and bilinear, of images that are stretched without antialiasing")
  }
}
