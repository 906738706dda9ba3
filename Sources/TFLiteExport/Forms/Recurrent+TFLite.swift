import FlatBuffers
import ModelIR
import Operators

/// A recurrent operator whose steps are spelled out.
protocol TFLiteSteppedForm: TFLiteForm, RecurrentOperator {
  /// Returns the state after a step.
  ///
  /// - Parameters:
  ///   - sums: the contribution of the step's input and the bias to each gate.
  ///   - state: the state before the step; `nil` for zeros.
  ///   - kernel: the recurrent kernel.
  func step(
    _ sums: TFLiteValue, _ state: [TFLiteValue?], _ kernel: TFLiteRecurrentKernel,
    _ graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue]
}

extension TFLiteSteppedForm {
  static var tfliteOperations: String {
    "`FULLY_CONNECTED`, `UNPACK` and the operators of each step, at most \(TFLiteGraphBuilder.mostSteps); refused "
      + "with an open number of steps"
  }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] { try graph.unroll(self, x, layer) }
}

/// The recurrent kernel and bias of a layer.
struct TFLiteRecurrentKernel {
  /// The kernel: (gates · units, units).
  let matrix: TFLiteValue
  let bias: TFLiteValue?
  /// The gates in the order of the parameters; empty if there is only one.
  let gates: [Character]
  /// The parts of a kernel and a bias for the gates and for the new value, if the reset is applied before the product.
  let parts: (gates: [TFLiteValue], biases: [TFLiteValue])?
}

extension TFLiteGraphBuilder {
  /// The maximum number of steps that are spelled out.
  static let mostSteps = 1000

  /// Adds the steps of a recurrent layer.
  ///
  /// A loop of the format is a subgraph that few programs run, and its recurrent operators keep their states from one
  /// run to the next.
  fileprivate mutating func unroll(
    _ operation: some TFLiteSteppedForm, _ x: [TFLiteValue], _ layer: TFLiteLayer
  ) throws(NetconvError) -> [TFLiteValue] {
    let recurrence = operation.recurrence
    guard recurrence.statefulBatch == nil else { throw .stateAcrossTFLiteBatches }
    guard let count = x[0].sizes[1].known else { throw .openSizeForTFLite }
    guard count <= Self.mostSteps else { throw .tooManySteps(count, most: Self.mostSteps) }
    let kernel = try kernel(of: operation, layer)
    let steps = unpack(try sums(x[0], operation, layer))
    let masks = recurrence.takesMask ? unpack(expand(x[1], at: 2)) : []
    let stateCount = type(of: operation).stateCount
    var states: [TFLiteValue?] =
      recurrence.takesState
      ? x.suffix(stateCount).map { $0 } : [TFLiteValue?](repeating: nil, count: stateCount)
    var (outputs, last) = ([TFLiteValue](), TFLiteValue?.none)
    for index in recurrence.goesBackwards ? steps.indices.reversed() : Array(steps.indices) {
      let new = try operation.step(steps[index], states, kernel, &self)
      guard recurrence.takesMask else {
        states = new
        outputs.append(new[0])
        continue
      }
      let counts = try truth(of: masks[index])
      let zeros = float(0)
      let other = recurrence.zerosMasked ? zeros : last ?? zeros
      last = try choose(counts, new[0], other)
      if let last { outputs.append(last) }
      states = try zip(new, states).map { new, old throws(NetconvError) in
        try choose(counts, new, old ?? zeros)
      }
    }
    return try results(outputs, states.compactMap(\.self), recurrence)
  }

  private mutating func results(
    _ outputs: [TFLiteValue], _ states: [TFLiteValue], _ recurrence: Recurrence
  ) throws(NetconvError) -> [TFLiteValue] {
    guard let last = outputs.last else { throw .openSizeForTFLite }
    var results: [TFLiteValue] = []
    switch recurrence.returns {
    case .sequence: results.append(pack(outputs))
    case .last: results.append(last)
    case .state: results.append(states[0])
    case .cell: results.append(states[1])
    }
    return recurrence.givesStates ? results + states : results
  }

  private mutating func unpack(_ x: TFLiteValue) -> [TFLiteValue] {
    var sizes = x.sizes
    let count = sizes.remove(at: 1).count
    return add(
      .unpack, [x], (64, [0: .int(count), 1: .int(1)]),
      outputs: [[TFLiteSize]](repeating: sizes, count: count))
  }

  private mutating func pack(_ x: [TFLiteValue]) -> TFLiteValue {
    var sizes = x[0].sizes
    sizes.insert(.fixed(x.count), at: 1)
    return add(.pack, x, (59, [0: .int(x.count), 1: .int(1)]), sizes: sizes)
  }

  /// Computes the sums of the input for all steps.
  private mutating func sums(
    _ x: TFLiteValue, _ operation: some TFLiteSteppedForm, _ layer: TFLiteLayer
  ) throws(NetconvError) -> TFLiteValue {
    let kernel = try layer.required(.kernel)
    let count = operation.cell.gateCount * operation.units
    let matrix = try gated(kernel, [count, kernel.count / max(1, count)])
    let bias = try layer.parameters[.bias].map { tensor throws(NetconvError) in
      try gated(tensor, [count])
    }
    return product(try expanded(x), matrix, bias)
  }

  /// Adds a parameter with its gates and units in front.
  private mutating func gated(
    _ tensor: Tensor, _ shape: [Int]
  ) throws(NetconvError) -> TFLiteValue {
    let axes = Set(tensor.spec.layout.axes)
    let columns = Layout.Dimension([Axis.gates, .units].filter(axes.contains))
    let rows = axes.contains(.inputChannels) ? [Layout.Dimension([.inputChannels])] : []
    return try parameter(
      tensor, as: Layout([columns] + rows, gates: tensor.layout.gates), shape: shape)
  }

  private mutating func kernel(
    of operation: some TFLiteSteppedForm, _ layer: TFLiteLayer
  ) throws(NetconvError) -> TFLiteRecurrentKernel {
    let recurrent = try layer.required(.recurrent)
    let (units, count) = (operation.units, operation.cell.gateCount)
    // The parameters may have their gates in the order of the source, which must be the same for all.
    let gates = recurrent.layout.gates
    guard layer.parameters.values.allSatisfy({ $0.layout.gates == gates }) else {
      throw .differentGates
    }
    let matrix = try gated(recurrent, [count * units, units])
    let bias = try layer.parameters[.recurrentBias].map { tensor throws(NetconvError) in
      try gated(tensor, [count * units])
    }
    let isSplit = operation.cell == .gruWithResetBefore
    return TFLiteRecurrentKernel(
      matrix: matrix, bias: bias, gates: gates?.gates ?? [],
      parts: isSplit
        ? (
          try split(matrix, count, along: 0),
          try bias.map { bias throws(NetconvError) in try split(bias, count, along: 0) } ?? []
        ) : nil)
  }

  /// Adds the product of a state and the recurrent kernel to sums.
  fileprivate mutating func add(
    _ state: TFLiteValue?, _ kernel: TFLiteRecurrentKernel, to sums: TFLiteValue
  ) throws(NetconvError) -> TFLiteValue {
    if let state {
      return try binary(.add, sums, product(state, kernel.matrix, kernel.bias))
    }
    return try kernel.bias.map { bias throws(NetconvError) in try binary(.add, sums, bias) } ?? sums
  }

  /// Splits the values of all gates by their letters.
  fileprivate mutating func gates(
    _ x: TFLiteValue, _ kernel: TFLiteRecurrentKernel
  ) throws(NetconvError) -> [Character: TFLiteValue] {
    let parts = try split(x, kernel.gates.count, along: x.sizes.count - 1)
    return Dictionary(zip(kernel.gates, parts)) { first, _ in first }
  }
}

extension LSTM: TFLiteSteppedForm {
  func step(
    _ sums: TFLiteValue, _ state: [TFLiteValue?], _ kernel: TFLiteRecurrentKernel,
    _ graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let gates = try graph.gates(graph.add(state[0], kernel, to: sums), kernel)
    guard let i = gates["i"], let f = gates["f"], let c = gates["c"], let o = gates["o"] else {
      throw .differentGates
    }
    let input = try graph.activate(i, recurrentActivation)
    let output = try graph.activate(o, recurrentActivation)
    var cell = try graph.binary(.mul, input, graph.activate(c, activation))
    if let old = state[1] {
      let kept = try graph.binary(.mul, graph.activate(f, recurrentActivation), old)
      cell = try graph.binary(.add, kept, cell)
    }
    return [try graph.binary(.mul, output, graph.activate(cell, activation)), cell]
  }
}

extension GRU: TFLiteSteppedForm {
  func step(
    _ sums: TFLiteValue, _ state: [TFLiteValue?], _ kernel: TFLiteRecurrentKernel,
    _ graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let inputs = try graph.gates(sums, kernel)
    guard let x = inputs["h"] else { throw .differentGates }
    let old = try recurrent(state[0], kernel, &graph)
    func gate(_ letter: Character) throws(NetconvError) -> TFLiteValue {
      guard let input = inputs[letter] else { throw .differentGates }
      let sum = try old[letter].map { part throws(NetconvError) in
        try graph.binary(.add, input, part)
      }
      return try graph.activate(sum ?? input, recurrentActivation)
    }
    let (update, reset) = (try gate("z"), try gate("r"))
    var new = x
    if let inner = try inner(reset, state[0], old, kernel, &graph) {
      new = try graph.binary(.add, x, inner)
    }
    let rest = try graph.binary(.sub, graph.float(1), update)
    let added = try graph.binary(.mul, rest, graph.activate(new, activation))
    guard let h = state[0] else { return [added] }
    return [try graph.binary(.add, graph.binary(.mul, update, h), added)]
  }

  /// Returns the products of the state for each gate; without a state, the biases.
  private func recurrent(
    _ state: TFLiteValue?, _ kernel: TFLiteRecurrentKernel, _ graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [Character: TFLiteValue] {
    guard let parts = kernel.parts else {
      guard let state else {
        return try kernel.bias.map { bias throws(NetconvError) in
          try graph.gates(bias, kernel)
        } ?? [:]
      }
      return try graph.gates(graph.product(state, kernel.matrix, kernel.bias), kernel)
    }
    var products: [Character: TFLiteValue] = [:]
    for (index, letter) in kernel.gates.enumerated() where letter != "h" {
      let bias = parts.biases.isEmpty ? nil : parts.biases[index]
      products[letter] = state.map { graph.product($0, parts.gates[index], bias) } ?? bias
    }
    return products
  }

  /// Returns the contribution of the state to the new value; `nil` for zeros.
  private func inner(
    _ reset: TFLiteValue, _ state: TFLiteValue?, _ old: [Character: TFLiteValue],
    _ kernel: TFLiteRecurrentKernel, _ graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> TFLiteValue? {
    guard let parts = kernel.parts, let index = kernel.gates.firstIndex(of: "h") else {
      return try old["h"].map { part throws(NetconvError) in try graph.binary(.mul, reset, part) }
    }
    let bias = parts.biases.isEmpty ? nil : parts.biases[index]
    guard let state else { return bias }
    return graph.product(try graph.binary(.mul, reset, state), parts.gates[index], bias)
  }
}

extension SimpleRNN: TFLiteSteppedForm {
  func step(
    _ sums: TFLiteValue, _ state: [TFLiteValue?], _ kernel: TFLiteRecurrentKernel,
    _ graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    [try graph.activate(graph.add(state[0], kernel, to: sums), activation)]
  }
}

extension NetconvError {
  fileprivate static let stateAcrossTFLiteBatches = NetconvError(
    .badData,
    "is stateful, which is not written: the graph keeps no state between runs; use stateful=False")

  fileprivate static let differentGates = NetconvError(
    .badData, "has parameters whose gates are in different orders")

  fileprivate static func tooManySteps(_ count: Int, most: Int) -> NetconvError {
    NetconvError(
      .badData,
      "has \(count) steps, which are written one by one; at most \(most) are")
  }
}
