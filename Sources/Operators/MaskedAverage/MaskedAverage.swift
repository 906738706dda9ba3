import ModelIR

/// The mean of each channel over the unmasked steps.
public struct MaskedAverage: Operator {
  /// The operator's name in documents.
  public static let name = "MaskedAverage"

  /// True if the length is kept as an axis of size 1.
  public let keepDimensions: Bool

  /// Creates a mean over unmasked steps.
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

  /// The sequence and its mask, where 0 marks a masked step.
  public var inputCount: ClosedRange<Int> { 2...2 }

  /// All steps are reduced to one.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// The result distinguishes steps from channels.
  public var orderDependence: OrderDependence { .full }

  /// Values are averaged per channel.
  public var valueEffect: ValueEffect { .computed }

  /// Twice the number of steps: the values and the mask.
  public func fanIn(of inputs: [[Int]]) -> Int { 2 * inputs[0][0] }

  /// Returns the shape: (length, channels) and (length) become (channels), or (1, channels).
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = try inputs[0].spatial(Line.self)
    guard inputs[1].rank == 1 else { throw .differentShapes(inputs) }
    if let length = input.lengths[0], let steps = inputs[1].dimensions[0], length != steps {
      throw .differentShapes(inputs)
    }
    return Shape((keepDimensions ? [1] : []) + [input.channels])
  }

  /// y[c] = Σ x[t, c]·m[t] / Σ m[t]; NaN if all steps are masked, as in Keras.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let (x, mask) = (inputs[0], inputs[1].values)
    let channels = x.shape[1]
    let steps = mask.reduce(0, +)
    let y = (0..<channels).map { c in
      mask.indices.reduce(0) { $0 + x.values[$1 * channels + c] * mask[$1] } / steps
    }
    return NDArray(shape: (keepDimensions ? [1] : []) + [channels], values: y)
  }
}
