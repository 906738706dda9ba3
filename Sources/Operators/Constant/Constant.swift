import ModelIR

/// A tensor that does not depend on the input: position embeddings, a mask, a class token.
///
/// It has no inputs. Its values are a parameter that stays in float32 in half-precision runs too: a mask of -3.4e38
/// would become infinite, and a fully masked row NaN.
public struct Constant: Operator {
  /// The operator's name in documents.
  public static let name = "Constant"

  /// The shape, without the batch.
  public let shape: [Int]

  /// Creates a constant of `shape`, with two to four axes or a single value.
  public init(shape: [Int]) {
    self.shape = shape
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case shape
  }

  /// Decodes the attributes.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(shape: try attributes.decode([Int].self, forKey: .shape))
  }

  /// No inputs.
  public var inputCount: ClosedRange<Int> { 0...0 }

  /// True: a constant consists of its values.
  public static var needsParameters: Bool { true }

  /// There is no input whose order could be kept.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// The result depends on the indices of values.
  public var orderDependence: OrderDependence { .full }

  /// The output does not contain input values.
  public var valueEffect: ValueEffect { .computed }

  /// One input value per output value.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// Returns the shape of the constant.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    // The order of flattened values is tracked through layers, and a constant vector after a flatten would have none.
    guard (2...4).contains(shape.count) || shape == [1] else {
      throw .wrongRank(Shape(shape), expected: "two to four axes, or one number")
    }
    for size in shape { try checkSizes(("shape", size)) }
    return Shape(shape)
  }

  /// Returns the values, with the axes of a sequence, an image or a volume: `WC`, `HWC`, `DHWC`.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    let rank = try outputShape(for: inputs).rank
    let axes = Array([Axis.depth, .height, .width, .channels].suffix(rank))
    return [
      ParameterSpec(
        .value, .vector, try Layout(axes.map { Layout.Dimension([$0]) }),
        Dictionary(uniqueKeysWithValues: zip(axes, shape)))
    ]
  }

  /// Returns the values.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    guard let value = parameters[.value] else { throw .unknownSize(Shape(shape)) }
    return value
  }
}
