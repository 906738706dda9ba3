import ModelIR

/// An operator with one input that moves no values.
struct Pass: Operator {
  static let name = "Pass"

  func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }
  func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape { inputs[0] }
  func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> { inputs[0] }
}

/// An operator with at least `least` inputs; the output has the shape of the first.
struct Merge: Operator {
  static let name = "Merge"
  var least = 2
  var most = Int.max

  var inputCount: ClosedRange<Int> { least...most }
  func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }
  func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape { inputs[0] }
  func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> { inputs[0] }
}

/// The input twice.
struct Twice: Operator {
  static let name = "Twice"
  var outputCount: Int { 2 }

  func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }
  func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape { inputs[0] }
  func outputShapes(for inputs: [Shape]) throws(NetconvError) -> [Shape] { [inputs[0], inputs[0]] }
  func computing(output index: Int) -> any Operator { Pass() }
  func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> { inputs[0] }
  func evaluateOutputs(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> [NDArray<Double>] { [inputs[0], inputs[0]] }
}

/// An operator that flattens all axes.
struct Flat: Operator {
  static let name = "Flat"

  func axisFlow(from inputs: [Shape]) -> AxisFlow { .flatten }
  func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    Shape([try inputs[0].known.map { sizes throws(NetconvError) in try product(sizes) }])
  }
  func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> { inputs[0].reshaped([inputs[0].count]) }
}

/// Every size changes by `amount`.
struct Grow: Operator {
  static let name = "Grow"
  var amount: Int

  func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }
  func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    Shape(inputs[0].dimensions.map { $0.map { $0 + amount } })
  }
  func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> { inputs[0] }
}

/// A matrix with an optional bias over the last axis.
struct Linear: Operator {
  static let name = "Linear"
  var units: Int

  func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }
  func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    Shape(inputs[0].dimensions.dropLast() + [units])
  }
  func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    guard let features = inputs[0].dimensions.last, let features else {
      throw NetconvError(.badData, "the last size must be known")
    }
    return [
      ParameterSpec(
        .kernel, .fullyConnected, .io, [.inputChannels: features, .outputChannels: units],
        featureAxis: .inputChannels),
      ParameterSpec(.bias, .vector, .o, [.outputChannels: units], isOptional: true),
    ]
  }
  func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> { inputs[0] }
}

/// As many values as a parameter needs, without holding them.
struct CountedSource: TensorSource {
  let elementType = ElementType.float32
  let count: Int

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    throw NetconvError(.inputOutput, "is only a number")
  }
}

/// Values in memory that state `shape`.
func stored(_ values: [Float], _ layout: Layout? = nil, shape: [Int]? = nil) -> StoredTensor {
  StoredTensor(source: ArraySource(values), layout: layout, shape: shape, path: "test")
}

/// A layer without parameters.
func layer(_ name: String, _ operation: any Operator, _ inputs: String...) -> LayerDefinition {
  LayerDefinition(name: name, operation: operation, inputs: inputs)
}

/// A layer with a kernel of zeros, and a bias if asked for.
func linear(
  _ name: String, _ units: Int, from input: String, features: Int, bias: Bool = false,
  owner: String? = nil
) -> LayerDefinition {
  var parameters: [ParameterRole: StoredTensor] = [
    .kernel: stored(Array(repeating: 0, count: features * units))
  ]
  if bias { parameters[.bias] = stored(Array(repeating: 0, count: units)) }
  return LayerDefinition(
    name: name, operation: Linear(units: units), inputs: [input], parameters: parameters,
    parameterOwner: owner)
}

/// A model with the input `x` of (4).
func model(
  _ layers: [LayerDefinition], inputs: [ModelInput] = [ModelInput(name: "x", shape: Shape([4]))],
  outputs: [String] = ["y"]
) throws -> Model {
  try Model(name: "test", inputs: inputs, layers: layers, outputs: outputs)
}

/// Defaults for facts that these tests do not use.
extension Operator {
  var orderDependence: OrderDependence { .full }
  var valueEffect: ValueEffect { .computed }
  func fanIn(of inputs: [[Int]]) -> Int { 1 }
}
