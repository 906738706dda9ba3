import ModelIR

/// An activation function as a layer of its own.
public struct Activation: ActivatedOperator {
  /// The name in documents.
  public static let name = "Activation"

  /// What is applied.
  public var function: ActivationFunction

  /// A layer that applies `function`.
  public init(_ function: ActivationFunction) {
    self.function = function
  }

  /// ``function``, as layers call it that sum before.
  public var activation: ActivationFunction {
    get { function }
    set { function = newValue }
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

  /// Softmax and its kin depend on all values along their axes, but not on their order.
  public var orderDependence: OrderDependence {
    function.axis == nil ? .none : .throughParameters
  }

  /// A function is applied.
  public var valueEffect: ValueEffect {
    function.isLinear ? .none : .computed
  }

  /// All values along the axes of softmax and its kin; else one.
  public func fanIn(of inputs: [[Int]]) -> Int {
    function.axis.map { $0.count(in: inputs[0]) } ?? 1
  }

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
