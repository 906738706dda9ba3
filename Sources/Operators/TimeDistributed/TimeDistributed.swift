import ModelIR

/// An operator applied to each step of a sequence separately.
public struct TimeDistributed: Operator {
  /// The operator's name in documents.
  public static let name = "TimeDistributed"

  /// The operator to apply, which has one input.
  public let operation: any Operator

  /// Creates a layer that applies `operation` to each step.
  public init(_ operation: any Operator) {
    self.operation = operation
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case `operator`
    case attributes
  }

  /// Decodes the operator's name and attributes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.attributes(CodingKeys.self)
    operation = try container.operation(named: .operator, .attributes)
  }

  /// Encodes the operator's name and attributes.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(operation, named: .operator, .attributes)
  }

  /// Returns true if both apply the same operator with the same attributes.
  public static func == (one: TimeDistributed, other: TimeDistributed) -> Bool {
    one.operation.isEqual(to: other.operation)
  }

  /// The number of outputs of the operator.
  public var outputCount: Int { operation.outputCount }

  /// Returns the layer whose operator computes only one output.
  public func computing(output index: Int) -> any Operator {
    TimeDistributed(operation.computing(output: index))
  }

  /// As for the operator; the axes of a step are not merged with the step axis.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow {
    switch operation.axisFlow(from: [inputs[0].step]) {
    case .elementwise: .elementwise
    case .flatten: .flattenOfSteps
    case .flattenOfSteps, .channelsFirst, .other: .other
    }
  }

  /// The result distinguishes steps from the axes of a step.
  public var orderDependence: OrderDependence { .full }

  /// As for the operator.
  public var hasSteps: Bool { operation.hasSteps }

  /// As for the operator.
  public var valueEffect: ValueEffect { operation.valueEffect }

  /// As for the operator, for one step.
  public func fanIn(of inputs: [[Int]]) -> Int {
    operation.fanIn(of: [Array(inputs[0].dropFirst())])
  }

  /// Returns the first of ``outputShapes(for:)``.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    try outputShapes(for: inputs)[0]
  }

  /// Returns the shape: (length, …) with the operator's output shape for a step.
  public func outputShapes(for inputs: [Shape]) throws(NetconvError) -> [Shape] {
    guard inputs[0].rank > 1 else {
      throw .wrongRank(inputs[0], expected: "(length, …), a step of one axis at least")
    }
    guard operation.inputCount.contains(1) else {
      throw .severalInputsPerStep(type(of: operation).name)
    }
    if let stepping = operation as? any SteppingOperator, stepping.recurrence.statefulBatch != nil {
      throw .statefulSteps(type(of: operation).name)
    }
    return try operation.outputShapes(for: [inputs[0].step]).map {
      Shape([inputs[0].dimensions[0]] + $0.dimensions)
    }
  }

  /// Returns the operator's parameters.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    try operation.parameters(for: [inputs[0].step])
  }

  /// Returns the first of ``evaluateOutputs(_:_:)``.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    try evaluateOutputs(inputs, parameters)[0]
  }

  /// y[t] = operation(x[t]).
  public func evaluateOutputs(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> [NDArray<Double>] {
    let x = inputs[0]
    let sizes = try outputShapes(for: [Shape(x.shape)]).map { shape throws(NetconvError) in
      guard let size = shape.known else { throw NetconvError.unknownSize(shape) }
      return size
    }
    let count = x.count / x.shape[0]
    var y = [[Double]](repeating: [], count: sizes.count)
    for step in 0..<x.shape[0] {
      let input = NDArray(
        shape: Array(x.shape.dropFirst()),
        values: Array(x.values[step * count..<(step + 1) * count]))
      for (index, output) in try operation.evaluateOutputs([input], parameters).enumerated() {
        y[index] += output.values
      }
    }
    return zip(sizes, y).map { NDArray(shape: $0, values: $1) }
  }
}

extension Shape {
  /// The shape without the first axis.
  fileprivate var step: Shape { Shape(Array(dimensions.dropFirst())) }
}

extension NetconvError {
  fileprivate static func statefulSteps(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(name) is stateful in a layer that applies it to each step, which netconv does not run")
  }

  fileprivate static func severalInputsPerStep(_ name: String) -> NetconvError {
    NetconvError(
      .badData, "\(name) has several inputs, so it cannot be applied step by step")
  }
}
