import ModelIR
import Operators

/// The memory of a recurrent layer in C, and what a step does with it.
struct CCell {
  /// The number of values of a state.
  let units: Int
  /// The addresses of the states, of which the first is the output of a step.
  let states: [String]
  /// The address of the gates, one after the other.
  let gates: String
  /// The address of further memory.
  let spare: String

  /// Returns the address of a gate.
  func gate(_ index: Int) -> String { index == 0 ? gates : "\(gates) + \(index * units)" }
}

/// A recurrent operator whose step is written in C.
protocol CRecurrentOperator: RecurrentOperator, COperator {
  /// Returns the functions and the statements that make new states from the gates' sums of the input.
  ///
  /// The kernels of the gates lie side by side: a row has the weights of all gates.
  func cNext(
    _ places: CPlaces, _ cell: CCell
  ) throws(NetconvError) -> (functions: [CFunction], statements: [String])
}

extension CRecurrentOperator {
  /// The number of values in a row of a kernel.
  var columns: Int { cell.gateCount * units }

  /// Returns a statement that adds the products of a state and some gates' kernels.
  func products(
    _ state: String, _ places: CPlaces, gate: Int, count: Int, to sums: String
  ) -> String {
    let matrix = gate == 0 ? places["recurrent"] : "\(places["recurrent"]) + \(gate * units)"
    return "multiply_add(\(state), \(units), \(matrix), \(columns), \(count * units), \(sums));"
  }

  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    guard recurrence.statefulBatch == nil else { throw .statefulInC }
    let writer = CRecurrence(
      recurrence, layer, stateSize: units, stateCount: Self.stateCount)
    let (units, gates) = (units, columns)
    func cell(_ scratch: (Int) -> String) -> CCell {
      let states = (0..<Self.stateCount).map { scratch(writer.stateOffset($0)) }
      return CCell(
        units: units, states: states, gates: scratch(writer.end),
        spare: scratch(writer.end + gates))
    }
    // The functions do not depend on addresses.
    let blank = CPlaces(
      inputs: [], outputs: [], scratch: "x", parameters: ["recurrent": "", "recurrent_bias": ""])
    let functions = try cNext(blank, cell { _ in "x" }).functions
    let channels = layer.inputs[0][1]
    let parameters =
      CStep.Parameter.optional("kernel", layer.values(.kernel))
      + CStep.Parameter.optional("recurrent", layer.values(.recurrent))
      + CStep.Parameter.optional("bias", layer.values(.bias))
      + CStep.Parameter.optional("recurrent_bias", layer.values(.recurrentBias))
    return CStep(
      writer.functions + [.setBias, .multiplyAdd] + functions, parameters: parameters,
      scratch: writer.end + gates + 2 * units
    ) { places in
      let cell = cell { places.scratch(from: $0) }
      let next = (try? self.cNext(places, cell).statements) ?? []
      return writer.statements(
        places,
        step: [
          "const float *x = \(places.input) + step * \(channels);",
          "set_bias(\(cell.gates), \(places["bias"]), \(gates));",
          "multiply_add(x, \(channels), \(places["kernel"]), \(gates), \(gates), \(cell.gates));",
        ] + next)
    }
  }
}

/// The loop over the steps of a sequence, with masks, states and outputs as a recurrence says.
struct CRecurrence {
  let recurrence: Recurrence
  let length: Int
  /// The number of values of a state and of the output of a step.
  let size: Int
  let stateCount: Int
  /// The number of further outputs of the layer.
  private let furtherOutputs: Int

  init(
    _ recurrence: Recurrence, _ layer: CLayer, stateSize: Int, stateCount: Int
  ) {
    self.recurrence = recurrence
    length = layer.inputs[0][0]
    size = stateSize
    self.stateCount = stateCount
    furtherOutputs = layer.outputs.count - 1
  }

  /// The offset of a state in the scratch memory.
  func stateOffset(_ index: Int) -> Int { index * size }

  /// The offset behind all that the loop uses: the states, and with a mask the output of the last step.
  var end: Int { (stateCount + (recurrence.takesMask ? 1 : 0)) * size }

  let functions: [CFunction] = [.copy, .fill]

  /// Returns the statements of the loop.
  ///
  /// - Parameter step: those of a step, which makes the states from those before it.
  func statements(_ places: CPlaces, step: [String]) -> [String] {
    let states = (0..<stateCount).map { places.scratch(from: stateOffset($0)) }
    let last = recurrence.takesMask ? places.scratch(from: stateCount * size) : states[0]
    var lines = begin(places, states)
    if recurrence.takesMask { lines.append("fill_values(\(last), \(size), 0.0f);") }
    lines.append(
      recurrence.goesBackwards
        ? "for (int step = \(length - 1); step >= 0; step--) {"
        : "for (int step = 0; step < \(length); step++) {")
    lines += masked(step, places, state: states[0], last: last).map { "    " + $0 }
    if recurrence.returns == .sequence {
      let index = recurrence.goesBackwards ? "(\(length - 1) - step)" : "step"
      lines.append("    copy_values(\(last), \(size), \(places.output) + \(index) * \(size));")
    }
    return lines + ["}"] + results(places, states, last: last)
  }

  private func begin(_ places: CPlaces, _ states: [String]) -> [String] {
    guard recurrence.takesState else {
      return ["fill_values(\(states[0]), \(stateCount * size), 0.0f);"]
    }
    return zip(places.inputs.suffix(stateCount), states).map {
      "copy_values(\($0), \(size), \($1));"
    }
  }

  private func masked(
    _ step: [String], _ places: CPlaces, state: String, last: String
  ) -> [String] {
    guard recurrence.takesMask else { return step }
    let otherwise =
      recurrence.zerosMasked ? ["} else {", "    fill_values(\(last), \(size), 0.0f);"] : []
    return ["if (\(places.inputs[1])[step] != 0.0f) {"]
      + (step + ["copy_values(\(state), \(size), \(last));"]).map { "    " + $0 } + otherwise
      + ["}"]
  }

  private func results(_ places: CPlaces, _ states: [String], last: String) -> [String] {
    var lines: [String] = []
    switch recurrence.returns {
    case .sequence: break
    case .last: lines.append("copy_values(\(last), \(size), \(places.output));")
    case .state: lines.append("copy_values(\(states[0]), \(size), \(places.output));")
    case .cell: lines.append("copy_values(\(states[1]), \(size), \(places.output));")
    }
    for (output, state) in zip(places.outputs.dropFirst(), states) {
      lines.append("copy_values(\(state), \(size), \(output));")
    }
    return lines
  }
}

extension SimpleRNN: CRecurrentOperator {
  func cNext(
    _ places: CPlaces, _ cell: CCell
  ) throws(NetconvError) -> (functions: [CFunction], statements: [String]) {
    let pass = try activation.cPass([units])
    let (bias, functions) = recurrentBias(places, cell)
    return (
      functions + (pass?.functions ?? []) + [.copy],
      bias + [products(cell.states[0], places, gate: 0, count: 1, to: cell.gates)]
        + (pass?.statements(cell.gates) ?? [])
        + ["copy_values(\(cell.gates), \(units), \(cell.states[0]));"]
    )
  }
}

extension CRecurrentOperator {
  /// Returns the statement that adds the second bias to all gates, if there is one.
  fileprivate func recurrentBias(
    _ places: CPlaces, _ cell: CCell
  ) -> (statements: [String], functions: [CFunction]) {
    guard places.parameters["recurrent_bias"] != nil else { return ([], []) }
    return (["add_to(\(cell.gates), \(places["recurrent_bias"]), \(columns));"], [.addTo])
  }
}

extension LSTM: CRecurrentOperator {
  func cNext(
    _ places: CPlaces, _ cell: CCell
  ) throws(NetconvError) -> (functions: [CFunction], statements: [String]) {
    let (bias, functions) = recurrentBias(places, cell)
    var passes: [(CPass?, String)] = []
    // Element-wise functions take the input and forget gates at once.
    if recurrentActivation.axis == nil {
      passes.append((try recurrentActivation.cPass([2 * units]), cell.gate(0)))
    } else {
      passes.append((try recurrentActivation.cPass([units]), cell.gate(0)))
      passes.append((try recurrentActivation.cPass([units]), cell.gate(1)))
    }
    let inner = try activation.cPass([units])
    passes.append((inner, cell.gate(2)))
    passes.append((try recurrentActivation.cPass([units]), cell.gate(3)))
    let (hidden, memory) = (cell.states[0], cell.states[1])
    return (
      functions + [.lstmCell, .copy, .multiplyBy]
        + passes.flatMap { $0.0?.functions ?? [] },
      bias + [products(hidden, places, gate: 0, count: 4, to: cell.gates)]
        + passes.flatMap { $0.0?.statements($0.1) ?? [] }
        + [
          "remember(\(memory), \(cell.gates), \(units));",
          "copy_values(\(memory), \(units), \(hidden));",
        ] + (inner?.statements(hidden) ?? [])
        + ["multiply_by(\(hidden), \(cell.gate(3)), \(units));"]
    )
  }
}

extension CFunction {
  static let lstmCell = CFunction(
    "remember",
    """
    /* The new cell state of an LSTM; its gates are input, forget, cell and output. */
    static void remember(float *cell, const float *gates, int units)
    {
        for (int i = 0; i < units; i++) {
            cell[i] = gates[units + i] * cell[i] + gates[i] * gates[2 * units + i];
        }
    }
    """)

  static let multiplyBy = CFunction(
    "multiply_by",
    """
    /* Multiplies values by others. */
    static void multiply_by(float *x, const float *other, int count)
    {
        for (int i = 0; i < count; i++) x[i] *= other[i];
    }
    """)

  static let mixStates = CFunction(
    "mix_states",
    """
    /* The new state of a GRU: the update gate's share of the old one, the rest of the new one. */
    static void mix_states(float *state, const float *update, const float *fresh, int units)
    {
        for (int i = 0; i < units; i++) {
            state[i] = update[i] * state[i] + (1.0f - update[i]) * fresh[i];
        }
    }
    """)
}

extension GRU: CRecurrentOperator {
  func cNext(
    _ places: CPlaces, _ cell: CCell
  ) throws(NetconvError) -> (functions: [CFunction], statements: [String]) {
    let hidden = cell.states[0]
    var functions: [CFunction] = [.addTo, .setBias, .multiplyBy, .mixStates, .copy]
    let gate = try recurrentActivation.cPass([units])
    let inner = try activation.cPass([units])
    functions += (gate?.functions ?? []) + (inner?.functions ?? [])
    let secondBias = places["recurrent_bias"]
    // The products with the state are apart, as the reset gate is applied to those of the new value.
    var lines = [
      "set_bias(\(cell.spare), \(secondBias), \(2 * units));",
      products(hidden, places, gate: 0, count: 2, to: cell.spare),
      "add_to(\(cell.gates), \(cell.spare), \(2 * units));",
    ]
    lines += (gate?.statements(cell.gate(0)) ?? []) + (gate?.statements(cell.gate(1)) ?? [])
    let bias = secondBias == "NULL" ? "NULL" : "\(secondBias) + \(2 * units)"
    lines.append("set_bias(\(cell.spare), \(bias), \(units));")
    if resetsAfter {
      lines += [
        products(hidden, places, gate: 2, count: 1, to: cell.spare),
        "multiply_by(\(cell.spare), \(cell.gate(1)), \(units));",
      ]
    } else {
      lines += [
        "multiply_by(\(cell.gate(1)), \(hidden), \(units));",
        products(cell.gate(1), places, gate: 2, count: 1, to: cell.spare),
      ]
    }
    lines.append("add_to(\(cell.gate(2)), \(cell.spare), \(units));")
    lines += inner?.statements(cell.gate(2)) ?? []
    lines.append("mix_states(\(hidden), \(cell.gate(0)), \(cell.gate(2)), \(units));")
    return (functions, lines)
  }
}

extension NetconvError {
  static var statefulInC: NetconvError {
    NetconvError(.badData, "continues from the states of the sequence before it")
  }
}
