import ModelIR

/// The mean of each channel.
public struct GlobalAveragePooling2D: Operator {
  /// The name in documents.
  public static let name = "GlobalAveragePooling2D"

  /// Whether height and width stay as axes of size 1.
  public let keepDimensions: Bool

  /// A pooling over the whole image.
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

  /// Places of an image are told from channels.
  public var orderDependence: OrderDependence { .full }

  /// Means of channels.
  public var valueEffect: ValueEffect { .computed }

  /// The pixels of the image.
  public func fanIn(of inputs: [[Int]]) -> Int { inputs[0].dropLast().reduce(1, *) }

  /// (height, width, channels) to (channels), or (1, 1, channels).
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let channels = try inputs[0].image().channels
    return Shape(keepDimensions ? [1, 1, channels] : [channels])
  }

  /// y[c] = the mean of x[:, :, c].
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let x = inputs[0]
    let channels = x.shape[2]
    let y = (0..<channels).map { c in
      let channel = stride(from: c, to: x.count, by: channels).map { x.values[$0] }
      return channel.reduce(0, +) / Double(channel.count)
    }
    return NDArray(shape: keepDimensions ? [1, 1, channels] : [channels], values: y)
  }
}
