import ModelIR
import Operators

/// A recurrent operator whose step can be expressed in basic operations.
private protocol SteppedForm: RecurrentOperator {
  /// Returns the state after a step, from the sums of the input, `x`, and the previous state.
  func step(
    _ x: String, _ state: [String], _ kernel: RecurrentKernel, _ graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [String]
}

/// The recurrent kernel and bias.
private struct RecurrentKernel {
  let matrix: String
  let bias: String?
  /// The part for the new value of a GRU whose reset is applied before the product.
  let newMatrix: String?
  let newBias: String?
}

extension ONNXGraphBuilder {
  /// Adds a recurrent layer as a `Scan`, for features that ONNX's recurrent operations lack.
  mutating func scan(
    _ operation: some RecurrentOperator, _ x: [ONNXValue], _ layer: ONNXLayer, _ gates: GateOrder?
  ) throws(NetconvError) -> [ONNXValue] {
    guard let form = operation as? any SteppedForm else {
      throw .notInONNX(Swift.type(of: operation).name, consumer)
    }
    let recurrence = operation.recurrence
    let count = operation.cell.gateCount * operation.units
    let sums = try sums(x[0], layer, gates)
    let kernel = try kernel(operation, layer, gates)
    var states = try beginnings(operation, x)
    let stateCount = states.count
    // A masked step repeats the output of the previous step, or zeros before the first.
    let carriesOutput = recurrence.takesMask && !recurrence.zerosMasked
    if carriesOutput { states.append(zeros(operation.units)) }
    let carried = states.indices.map { unique("\(self.layer)/state_\($0)") }
    let step = unique("\(self.layer)/step")
    let mask = recurrence.takesMask ? unique("\(self.layer)/mask") : nil
    let units = operation.units
    let body = try body(
      carried.map { ($0, units) } + [(step, count)] + (mask.map { [($0, 1)] } ?? [])
    ) { graph throws(NetconvError) in
      let old = Array(carried.prefix(stateCount))
      var new = try form.step(step, old, kernel, &graph)
      var output = new[0]
      if let mask {
        let counts = graph.add("Not", [graph.add("Equal", [mask, graph.float(0)])])
        let previous = carriesOutput ? carried[stateCount] : graph.float(0)
        output = graph.add("Where", [counts, output, previous])
        new = zip(new, old).map { graph.add("Where", [counts, $0, $1]) }
      }
      if carriesOutput { new.append(output) }
      return (new + [output]).map { (graph.add("Identity", [$0]), units) }
    }
    var operands = states + [sums]
    if recurrence.takesMask {
      operands.append(add("Unsqueeze", [name(x[1], .last), ints([2])]))
    }
    let scans = operands.count - states.count
    let outputs = add(
      "Scan", operands,
      [
        ONNXAttribute(name: "body", value: .graph(body)), .int("num_scan_inputs", scans),
        .ints("scan_input_axes", [Int](repeating: 1, count: scans)),
        .ints(
          "scan_input_directions",
          [Int](repeating: recurrence.goesBackwards ? 1 : 0, count: scans)),
        .ints("scan_output_axes", [1]),
      ], outputs: states.count + 1, isMain: true)
    return results(outputs, stateCount, operation, layer, last: carriesOutput ? stateCount : nil)
  }

  /// Returns the layer's outputs from the last states and the outputs of all steps.
  private mutating func results(
    _ outputs: [String], _ stateCount: Int, _ operation: some RecurrentOperator,
    _ layer: ONNXLayer, last: Int?
  ) -> [ONNXValue] {
    let recurrence = operation.recurrence
    let all = outputs[outputs.count - 1]
    var wanted: [RecurrentResult] = [recurrence.returns]
    if recurrence.givesStates { wanted += [.state, .cell].prefix(stateCount) }
    return zip(wanted, layer.outputShapes).map { result, shape in
      let name =
        switch result {
        case .sequence: all
        case .state: outputs[0]
        case .cell: outputs[1]
        case .last:
          if let last {
            outputs[last]
          } else if recurrence.takesMask {
            lastStep(of: all)
          } else {
            outputs[0]
          }
        }
      return ONNXValue(name: name, order: .last, shape: shape)
    }
  }

  private mutating func lastStep(of steps: String) -> String {
    add("Gather", [steps, int(-1)], .int("axis", 1))
  }

  /// Computes the sums of the input for all steps.
  private mutating func sums(
    _ x: ONNXValue, _ layer: ONNXLayer, _ gates: GateOrder?
  ) throws(NetconvError) -> String {
    let kernel = try layer.required(.kernel)
    let product = add(
      "MatMul", [name(x, .last), try parameter(kernel, as: .gatesBehind(of: kernel, gates))])
    guard let bias = layer.parameters[.bias] else { return product }
    return add("Add", [product, try parameter(bias, as: .gatesBehind(of: bias, gates))])
  }

  private mutating func kernel(
    _ operation: some RecurrentOperator, _ layer: ONNXLayer, _ gates: GateOrder?
  ) throws(NetconvError) -> RecurrentKernel {
    let recurrent = try layer.required(.recurrent)
    let matrix = try parameter(recurrent, as: .gatesBehind(of: recurrent, gates))
    let bias = try layer.parameters[.recurrentBias].map { tensor throws(NetconvError) in
      try parameter(tensor, as: .gatesBehind(of: tensor, gates))
    }
    guard operation.cell == .gruWithResetBefore else {
      return RecurrentKernel(matrix: matrix, bias: bias, newMatrix: nil, newBias: nil)
    }
    let sizes = ints([2 * operation.units, operation.units])
    let parts = add("Split", [matrix, sizes], [.int("axis", 1)], outputs: 2)
    let biases = bias.map { add("Split", [$0, sizes], [.int("axis", 0)], outputs: 2) }
    return RecurrentKernel(
      matrix: parts[0], bias: biases?[0], newMatrix: parts[1], newBias: biases?[1])
  }

  private mutating func beginnings(
    _ operation: some RecurrentOperator, _ x: [ONNXValue]
  ) throws(NetconvError) -> [String] {
    let count = Swift.type(of: operation).stateCount
    guard operation.recurrence.takesState else {
      return [String](repeating: zeros(operation.units), count: count)
    }
    return x.suffix(count).map { name($0, .last) }
  }

  private mutating func zeros(_ units: Int) -> String {
    once("\(units) zeros") { graph in
      let shape = graph.add("Concat", [graph.batch(), graph.ints([units])], .int("axis", 0))
      return graph.add("ConstantOfShape", [shape])
    }
  }

  /// Computes a product with a bias, if there is one.
  fileprivate mutating func product(_ x: String, _ matrix: String, _ bias: String?) -> String {
    let product = add("MatMul", [x, matrix])
    return bias.map { add("Add", [product, $0]) } ?? product
  }

  fileprivate mutating func split(_ x: String, _ count: Int) -> [String] {
    add("Split", [x], [.int("axis", -1)], outputs: count)
  }

  /// Applies a function to the values of a step.
  fileprivate mutating func activate(
    _ x: String, _ function: ActivationFunction, _ units: Int
  ) throws(NetconvError) -> String {
    try activate(ONNXValue(name: x, order: .last, shape: Shape([units])), function).name
  }
}

extension LSTM: SteppedForm {
  fileprivate func step(
    _ x: String, _ state: [String], _ kernel: RecurrentKernel, _ graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [String] {
    let sum = graph.add("Add", [x, graph.product(state[0], kernel.matrix, kernel.bias)])
    let gates = graph.split(sum, 4)
    let input = try graph.activate(gates[0], recurrentActivation, units)
    let output = try graph.activate(gates[1], recurrentActivation, units)
    let forget = try graph.activate(gates[2], recurrentActivation, units)
    let new = try graph.activate(gates[3], activation, units)
    let kept = graph.add("Mul", [forget, state[1]])
    let cell = graph.add("Add", [kept, graph.add("Mul", [input, new])])
    return [graph.add("Mul", [output, try graph.activate(cell, activation, units)]), cell]
  }
}

extension GRU: SteppedForm {
  fileprivate func step(
    _ x: String, _ state: [String], _ kernel: RecurrentKernel, _ graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [String] {
    let h = state[0]
    let inputs = graph.split(x, 3)
    let states = graph.split(graph.product(h, kernel.matrix, kernel.bias), resetsAfter ? 3 : 2)
    let update = try graph.activate(
      graph.add("Add", [inputs[0], states[0]]), recurrentActivation, units)
    let reset = try graph.activate(
      graph.add("Add", [inputs[1], states[1]]), recurrentActivation, units)
    let inner =
      if let matrix = kernel.newMatrix {
        graph.product(graph.add("Mul", [reset, h]), matrix, kernel.newBias)
      } else {
        graph.add("Mul", [reset, states[2]])
      }
    let new = try graph.activate(graph.add("Add", [inputs[2], inner]), activation, units)
    let kept = graph.add("Mul", [update, h])
    let rest = graph.add("Sub", [graph.float(1), update])
    return [graph.add("Add", [kept, graph.add("Mul", [rest, new])])]
  }
}

extension SimpleRNN: SteppedForm {
  fileprivate func step(
    _ x: String, _ state: [String], _ kernel: RecurrentKernel, _ graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [String] {
    let sum = graph.add("Add", [x, graph.product(state[0], kernel.matrix, kernel.bias)])
    return [try graph.activate(sum, activation, units)]
  }
}

extension Layout {
  /// Returns the layout of a parameter of a recurrent layer with the inputs first: inputs, and gates with their units.
  fileprivate static func gatesBehind(
    of tensor: Tensor, _ gates: GateOrder?
  ) throws(NetconvError) -> Layout {
    let axes = Set(tensor.spec.layout.axes)
    let columns = Dimension([Axis.gates, .units].filter(axes.contains))
    let rows = axes.contains(.inputChannels) ? [Dimension([.inputChannels])] : []
    return try Layout(rows + [columns], gates: gates)
  }
}
