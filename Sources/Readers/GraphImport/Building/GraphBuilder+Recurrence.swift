import ModelIR
import Operators

/// A recurrent layer of a graph, in one direction.
struct GraphRecurrence {
  enum Cell {
    case lstm
    case gru(resetsAfter: Bool)
    case simple
  }

  let cell: Cell
  let units: Int
  let activation: ActivationFunction
  /// The activation of the gates; a simple cell has none.
  var gateActivation = ActivationFunction.sigmoid
  var goesBackwards = false
  /// The input kernel: gates and units, then channels.
  let kernel: GraphConstant
  /// The recurrent kernel: gates and units, then units.
  let recurrent: GraphConstant
  /// Biases per gate and unit, added after the product with either kernel.
  var biases: (input: GraphConstant, recurrent: GraphConstant)?
  /// The order of the gates; `nil` for a simple cell.
  let gates: GateOrder?

  fileprivate func operation(_ recurrence: Recurrence) -> any RecurrentOperator {
    switch cell {
    case .lstm:
      LSTM(
        units: units, activation: activation, recurrentActivation: gateActivation,
        recurrence: recurrence)
    case .gru(let resetsAfter):
      GRU(
        units: units, activation: activation, recurrentActivation: gateActivation,
        resetsAfter: resetsAfter, recurrence: recurrence)
    case .simple: SimpleRNN(units: units, activation: activation, recurrence: recurrence)
    }
  }

  fileprivate func parameters() throws(NetconvError) -> [ParameterRole: GraphDraft.Parameter] {
    let rows = Layout.Dimension(gates == nil ? [.units] : [.gates, .units])
    func parameter(
      _ constant: GraphConstant, _ others: [Layout.Dimension]
    ) throws(NetconvError) -> GraphDraft.Parameter {
      GraphDraft.Parameter(
        constant: constant, layout: try Layout([rows] + others, gates: gates))
    }
    let columns = Layout.Dimension([.inputChannels])
    var parameters = [
      ParameterRole.kernel: try parameter(kernel, [columns]),
      .recurrent: try parameter(recurrent, [columns]),
    ]
    if let biases {
      parameters[.bias] = try parameter(biases.input, [])
      parameters[.recurrentBias] = try parameter(biases.recurrent, [])
    }
    return parameters
  }
}

extension GraphBuilder {
  /// Drafts a recurrent layer, once for each of its outputs; unused outputs do not become layers.
  ///
  /// - Parameters:
  ///   - input: samples of (length, channels), or several sequences in each sample: (sequences, length, channels).
  ///   - states: the initial states, (units) each; zeros if empty.
  /// - Returns: the output of all steps in their order, (length, units), and the final states, (units) each; behind the axis
  ///   of the sequences, if there is one.
  mutating func recur(
    _ input: GraphValue, _ layer: GraphRecurrence, from states: [GraphValue]
  ) throws(NetconvError) -> (sequence: GraphValue, states: [GraphValue]) {
    let parameters = try layer.parameters()
    let isStacked = input.shape.rank == 3
    guard states.isEmpty || !isStacked else { throw .batchAxis }
    func stacked(_ operation: any Operator) -> any Operator {
      isStacked ? TimeDistributed(operation) : operation
    }
    var results: [GraphValue] = []
    let kinds: [RecurrentResult] = [.sequence, .state, .cell]
    let count = if case .lstm = layer.cell { 3 } else { 2 }
    for kind in kinds.prefix(count) {
      let operation = layer.operation(
        Recurrence(
          returns: kind, goesBackwards: layer.goesBackwards, takesState: !states.isEmpty))
      results.append(
        try draft(stacked(operation), [input] + states, parameters, batch: input.batch))
    }
    // The last step is computed first.
    if layer.goesBackwards {
      results[0] = try draft(stacked(Reverse()), [results[0]], batch: input.batch)
    }
    return (results[0], Array(results.dropFirst()))
  }

  /// Returns the input of a recurrent layer as samples of shape `[length, channels]`.
  ///
  /// If the whole batch is one sample, the sample has the axis of the sequences first.
  ///
  /// - Parameter isBatchFirst: True for `[batch, length, channels]`, false for `[length, batch, channels]`.
  mutating func sequence(
    _ value: GraphValue, isBatchFirst: Bool
  ) throws(NetconvError) -> GraphValue {
    let axis = isBatchFirst ? 0 : 1
    if value.shape.rank == 2, value.batch == .init(axis: axis) { return value.with(.first) }
    if value.batch == nil, batchSize == nil, value.shape.rank == 3 {
      return isBatchFirst ? value : try draft(Permute(order: [1, 0, 2]), [value], batch: nil)
    }
    guard batchSize == 1, let sizes = graphSizes(of: value).known, sizes.count == 3,
      sizes[axis] == 1
    else { throw .batchAxis }
    return try reshape(value, to: Shape([sizes[1 - axis], sizes[2]])).with(.first)
  }

  /// True if a value is zero everywhere, for every sample.
  func isZeros(_ x: GraphResult) throws(NetconvError) -> Bool {
    switch x {
    case .constant(let constant): return try constant.numbers().allSatisfy { $0 == 0 }
    case .value(let value):
      guard case .layer(let layer) = drafts[value.draft].content, layer.inputs.isEmpty,
        let constant = layer.parameters[.value]?.constant
      else { return false }
      return try constant.numbers().allSatisfy { $0 == 0 }
    default: return false
    }
  }
}
