import ModelIR

/// An image of another size.
public struct Resizing: Operator, SamplingOperator {
  /// What becomes of an image whose sides are in another proportion than those of the result.
  public enum Proportion: String, Sendable, Codable {
    /// It is distorted.
    case stretch
    /// What is too much on two opposite sides is cut off first.
    case crop
    /// What is missing on two opposite sides is added first, of one value.
    case pad
  }

  /// The name in documents.
  public static let name = "Resizing"

  /// Height and width of the result.
  public let size: Size2D
  /// How the new pixels come about.
  public let interpolation: Interpolation
  /// Whether a smaller image sees all pixels of the source.
  public let antialias: Bool
  /// What becomes of other proportions.
  public let proportion: Proportion
  /// What is added, if something is.
  public let fill: Double
  /// Where pixels lie that are measured.
  public let coordinates: SamplingCoordinates

  /// A resizing to `size`.
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

  /// Reads the attributes; by default the image is distorted, with linear interpolation.
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

  /// Writes the attributes; where pixels lie only if it is not usual.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(size, forKey: .size)
    try container.encode(interpolation, forKey: .interpolation)
    try container.encode(antialias, forKey: .antialias)
    try container.encode(proportion, forKey: .proportion)
    try container.encode(fill, forKey: .fill)
    if coordinates != .halfPixel { try container.encode(coordinates, forKey: .coordinates) }
  }

  /// Pixels become others.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// Neighbours are mixed.
  public var orderDependence: OrderDependence { .full }

  /// They are mixed with neighbours.
  public var valueEffect: ValueEffect { .moved }

  /// The pixels that one is mixed from.
  public func fanIn(of inputs: [[Int]]) -> Int { sampling(of: inputs[0]).largestMixture }

  /// The size, and the channels of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = try inputs[0].image()
    try checkSizes(("size", size.height), ("size", size.width))
    guard
      coordinates == .halfPixel || proportion == .stretch && !antialias && interpolation.hasCorners
    else { throw .wrongCoordinates(coordinates, interpolation) }
    return Shape([size.height, size.width, input.channels])
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
    let (height, width) = (shape[0], shape[1])
    // The sides that the image would have in the proportion of the result, in Float as in Keras.
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
      // The same on both sides, so that an odd pixel is left out.
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
