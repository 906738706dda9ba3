import ModelIR

/// An activation function as a layer of its own.
public struct Activation: Operator {
  /// The name in documents.
  public static let name = "Activation"

  /// What is applied.
  public let function: ActivationFunction

  /// A layer that applies `function`.
  public init(_ function: ActivationFunction) {
    self.function = function
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case function
  }

  /// Reads the attribute.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    function = try attributes.decode(ActivationFunction.self, forKey: .function)
  }

  /// Nothing moves.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }

  /// The shape of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    try function.check(inputs[0])
    return inputs[0]
  }

  /// y = f(x).
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    try function.applied(to: inputs[0])
  }
}
