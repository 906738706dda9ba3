import ModelIR

/// A table that does not depend on what is fed: positions, a mask, the token that a class is read from.
///
/// It reads nothing. Its values are a parameter, which is kept in float32 in half-precision runs too: a mask of -3.4e38
/// would be infinite, and a row that is masked whole no number.
public struct Constant: Operator {
  /// The name in documents.
  public static let name = "Constant"

  /// The sizes of its axes, without the batch.
  public let shape: [Int]

  /// A table of `shape`, which has two to four axes, or is one number.
  public init(shape: [Int]) {
    self.shape = shape
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case shape
  }

  /// Reads the attributes.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(shape: try attributes.decode([Int].self, forKey: .shape))
  }

  /// None.
  public var inputCount: ClosedRange<Int> { 0...0 }

  /// It is nothing but its values.
  public static var needsParameters: Bool { true }

  /// There is no input.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// Each value has its place.
  public var orderDependence: OrderDependence { .full }

  /// No input comes out.
  public var valueEffect: ValueEffect { .computed }

  /// One: nothing is summed.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// The shape of the table.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    // The order of a flatten is followed from layer to layer, and a vector of constants behind one would have none.
    guard (2...4).contains(shape.count) || shape == [1] else {
      throw .wrongRank(Shape(shape), expected: "two to four axes, or one number")
    }
    for size in shape { try checkSizes(("shape", size)) }
    return Shape(shape)
  }

  /// The values, with the axes of a sequence, an image or a volume: `WC`, `HWC`, `DHWC`.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    let rank = try outputShape(for: inputs).rank
    let axes = Array([Axis.depth, .height, .width, .channels].suffix(rank))
    return [
      ParameterSpec(
        .value, .vector, try Layout(axes.map { Layout.Dimension([$0]) }),
        Dictionary(uniqueKeysWithValues: zip(axes, shape)))
    ]
  }

  /// The values.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    guard let value = parameters[.value] else { throw .unknownSize(Shape(shape)) }
    return value
  }
}
