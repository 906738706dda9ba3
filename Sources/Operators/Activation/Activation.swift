import ModelIR

/// An activation function as a separate layer.
public struct Activation: ActivatedOperator {
  /// The operator's name in documents.
  public static let name = "Activation"

  /// The function that is applied.
  public var function: ActivationFunction

  /// Creates a layer that applies `function`.
  public init(_ function: ActivationFunction) {
    self.function = function
  }

  /// The function, under the name used by summing layers.
  public var activation: ActivationFunction {
    get { function }
    set { function = newValue }
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case function
  }

  /// Decodes the attribute.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    function = try attributes.decode(ActivationFunction.self, forKey: .function)
  }

  /// Values keep their indices.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }

  /// Softmax and log-softmax depend on all values along their axes, but not on their order.
  public var orderDependence: OrderDependence {
    function.axis == nil ? .none : .throughParameters
  }

  /// Values are replaced by the function's values.
  public var valueEffect: ValueEffect {
    function.isLinear ? .none : .computed
  }

  /// The number of values along the axes of softmax or log-softmax; otherwise one.
  public func fanIn(of inputs: [[Int]]) -> Int {
    function.axis.map { $0.count(in: inputs[0]) } ?? 1
  }

  /// Returns the shape of the input.
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
