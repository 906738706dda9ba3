import ModelIR

/// An operator that is applied to each step of a sequence by itself.
public struct TimeDistributed: Operator {
  /// The name in documents.
  public static let name = "TimeDistributed"

  /// What is applied; it takes one input.
  public let operation: any Operator

  /// `operation` at each step.
  public init(_ operation: any Operator) {
    self.operation = operation
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case `operator`
    case attributes
  }

  /// Reads the operator's name and its attributes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.attributes(CodingKeys.self)
    let name = try container.decode(String.self, forKey: .operator)
    guard let type = OperatorRegistry.type(named: name) else {
      throw DecodingError.dataCorruptedError(
        forKey: .operator, in: container, debugDescription: "unknown operator \(quoted(name))")
    }
    operation = try container.decode(type, forKey: .attributes)
  }

  /// Writes the operator's name and its attributes.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(type(of: operation).name, forKey: .operator)
    try operation.encode(to: container.superEncoder(forKey: .attributes))
  }

  /// Whether both apply the same operator with the same attributes.
  public static func == (one: TimeDistributed, other: TimeDistributed) -> Bool {
    one.operation.isEqual(to: other.operation)
  }

  /// The operator's.
  public var outputCount: Int { operation.outputCount }

  /// That the operator computes one output alone.
  public func computing(output index: Int) -> any Operator {
    TimeDistributed(operation.computing(output: index))
  }

  /// The operator's; axes of a step are not merged with the steps.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow {
    switch operation.axisFlow(from: [inputs[0].step]) {
    case .elementwise: .elementwise
    case .flatten: .flattenOfSteps
    case .flattenOfSteps, .channelsFirst, .other: .other
    }
  }

  /// Steps are told from what a step is.
  public var orderDependence: OrderDependence { .full }

  /// The operator's.
  public var hasSteps: Bool { operation.hasSteps }

  /// The operator's.
  public var valueEffect: ValueEffect { operation.valueEffect }

  /// The operator's, for one step.
  public func fanIn(of inputs: [[Int]]) -> Int {
    operation.fanIn(of: [Array(inputs[0].dropFirst())])
  }

  /// The first of ``outputShapes(for:)``.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    try outputShapes(for: inputs)[0]
  }

  /// (length, …) to (length, …), as the operator gives it for a step.
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

  /// The operator's.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    try operation.parameters(for: [inputs[0].step])
  }

  /// The first of ``evaluateOutputs(_:_:)``.
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
