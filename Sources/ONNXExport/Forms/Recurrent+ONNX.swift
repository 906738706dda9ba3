import ModelIR
import Operators

extension LSTM: ONNXForm {
  static var onnxOperations: String {
    "`LSTM` between two `Transpose`; with a mask or another activation `Scan`"
  }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    try graph.recur(
      "LSTM", self, x, layer, gates: graph.consumer.gatesOfLSTM,
      [recurrentActivation, activation, activation], [])
  }
}

extension GRU: ONNXForm {
  static var onnxOperations: String {
    "`GRU` between two `Transpose`; with a mask or another activation `Scan`"
  }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    try graph.recur(
      "GRU", self, x, layer, gates: cell.gates, [recurrentActivation, activation],
      [.int("linear_before_reset", resetsAfter ? 1 : 0)])
  }
}

extension SimpleRNN: ONNXForm {
  static var onnxOperations: String {
    "`RNN` between two `Transpose`; with a mask or another activation `Scan`"
  }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    try graph.recur("RNN", self, x, layer, gates: nil, [activation], [])
  }
}

extension ONNXGraphBuilder {
  /// Adds a recurrent operation, whose input has the steps before the batch.
  fileprivate mutating func recur(
    _ type: String, _ operation: some RecurrentOperator, _ x: [ONNXValue], _ layer: ONNXLayer,
    gates: GateOrder?, _ functions: [ActivationFunction], _ others: [ONNXAttribute]
  ) throws(NetconvError) -> [ONNXValue] {
    let recurrence = operation.recurrence
    guard recurrence.statefulBatch == nil else { throw .stateAcrossBatches }
    guard !recurrence.takesMask, functions.allSatisfy({ $0.inRecurrence != nil }) else {
      return try scan(operation, x, layer, gates)
    }
    var operands = [transpose(name(x[0], .last), [1, 0, 2])]
    for role in [ParameterRole.kernel, .recurrent] {
      let kernel = try layer.required(role)
      operands.append(try parameter(kernel, as: .ofDirection(of: kernel, gates)))
    }
    operands.append(try biases(layer, operation, gates))
    if recurrence.takesState {
      operands.append("")
      for state in x.suffix(Swift.type(of: operation).stateCount) {
        operands.append(add("Unsqueeze", [name(state, .last), ints([0])]))
      }
    }
    while operands.last == "" { operands.removeLast() }
    let isLSTM = type == "LSTM"
    let outputs = add(
      type, operands,
      [
        .int("hidden_size", operation.units),
        .string("direction", recurrence.goesBackwards ? "reverse" : "forward"),
      ] + Self.attributes(of: functions) + others, outputs: isLSTM ? 3 : 2, isMain: true)
    return try results(of: outputs, operation, layer)
  }

  /// Concatenates both biases; empty if there are none.
  private mutating func biases(
    _ layer: ONNXLayer, _ operation: some RecurrentOperator, _ gates: GateOrder?
  ) throws(NetconvError) -> String {
    var halves: [String] = []
    let count = operation.cell.gateCount * operation.units
    let tensors = [ParameterRole.bias, .recurrentBias].map { layer.parameters[$0] }
    guard tensors.contains(where: { $0 != nil }) else { return "" }
    for tensor in tensors {
      if let tensor {
        halves.append(try parameter(tensor, as: .ofDirection(of: tensor, gates)))
      } else {
        halves.append(floats([Double](repeating: 0, count: count), [1, count]))
      }
    }
    return add("Concat", halves, .int("axis", 1))
  }

  /// Returns the layer's outputs from those of all steps, the last state and the last cell.
  private mutating func results(
    of outputs: [String], _ operation: some RecurrentOperator, _ layer: ONNXLayer
  ) throws(NetconvError) -> [ONNXValue] {
    let recurrence = operation.recurrence
    var wanted: [RecurrentResult] = [recurrence.returns]
    if recurrence.givesStates {
      wanted += [.state, .cell].prefix(Swift.type(of: operation).stateCount)
    }
    return zip(wanted, layer.outputShapes).map { result, shape in
      let name =
        switch result {
        case .sequence: sequence(outputs[0], isReversed: recurrence.goesBackwards)
        case .last, .state: add("Squeeze", [outputs[1], ints([0])])
        case .cell: add("Squeeze", [outputs[2], ints([0])])
        }
      return ONNXValue(name: name, order: .last, shape: shape)
    }
  }

  /// Returns the outputs of all steps, in the order of computation.
  private mutating func sequence(_ name: String, isReversed: Bool) -> String {
    let steps = add("Squeeze", [name, ints([1])])
    let samples = transpose(steps, [1, 0, 2])
    guard isReversed else { return samples }
    return add("Slice", [samples, ints([-1]), ints([SlicedAxis.front]), ints([1]), ints([-1])])
  }

  private static func attributes(of functions: [ActivationFunction]) -> [ONNXAttribute] {
    var (names, alphas, betas) = ([String](), [Double](), [Double]())
    for known in functions.compactMap(\.inRecurrence) {
      names.append(known.name)
      alphas += known.alpha.map { [$0] } ?? []
      betas += known.beta.map { [$0] } ?? []
    }
    var attributes: [ONNXAttribute] = [.strings("activations", names)]
    if !alphas.isEmpty { attributes.append(.floats("activation_alpha", alphas)) }
    if !betas.isEmpty { attributes.append(.floats("activation_beta", betas)) }
    return attributes
  }
}

extension ActivationFunction {
  /// The name of the function in ONNX's recurrent operations; `nil` if it is not supported.
  ///
  /// Source: onnx/docs/Operators.md, `LSTM`, activations.
  fileprivate var inRecurrence: (name: String, alpha: Double?, beta: Double?)? {
    switch self {
    case .tanh: ("Tanh", nil, nil)
    case .sigmoid: ("Sigmoid", nil, nil)
    case .relu(maxValue: nil, negativeSlope: 0, threshold: 0): ("Relu", nil, nil)
    case .hardSigmoid(let slope): ("HardSigmoid", slope, 0.5)
    case .leakyReLU(let slope): ("LeakyRelu", slope, nil)
    case .elu(let alpha): ("Elu", alpha, nil)
    case .softsign: ("Softsign", nil, nil)
    case .softplus: ("Softplus", nil, nil)
    case .linear: ("Affine", 1, 0)
    default: nil
    }
  }
}

extension Layout {
  /// Returns the layout of a parameter of a recurrent operation: a direction, gates with their units, and inputs.
  fileprivate static func ofDirection(
    of tensor: Tensor, _ gates: GateOrder?
  ) throws(NetconvError) -> Layout {
    let axes = Set(tensor.spec.layout.axes)
    let columns = Dimension([Axis.gates, .units].filter(axes.contains))
    let rows = axes.contains(.inputChannels) ? [Dimension([.inputChannels])] : []
    return try Layout([Dimension([]), columns] + rows, gates: gates)
  }
}

extension NetconvError {
  fileprivate static let stateAcrossBatches = NetconvError(
    .badData,
    "is stateful, but an ONNX graph keeps no state between runs; use stateful=False")
}
