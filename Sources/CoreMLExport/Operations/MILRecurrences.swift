import ModelIR

/// Recurrent operations, which have the steps before the batch in both.
enum MILRecurrences: MILTranslation {
  static let operations = [
    "LSTM": "`lstm`", "RNN": "`rnn`",
    "GRU": "refused: the documentation of `gru` is ambiguous about its gates and biases",
  ]

  static func write(
    _ node: MILNode, to program: inout MILBuilder
  ) throws(NetconvError) -> [MILValue] {
    guard node.type != "GRU" else {
      throw .refusedByCoreML("is a GRU: the gates and biases of gru are documented ambiguously")
    }
    let isReversed = node.string("direction") == "reverse"
    // The order of a reversed operation's results is not documented, so its steps are reversed here.
    let x = isReversed ? try program.reverse(node.input(0), 0) : try node.input(0)
    let units = node.int("hidden_size", 0)
    let shapes = [x.shape.prefix(2) + [units], [x.shape[1], units]]
    let states = try program.states(node, x, units)
    var operands: [(String, MILOperand?)] = [
      ("x", .value(x)), ("initial_h", .value(states[0])),
      ("weight_ih", .value(try weights(node, 1))), ("weight_hh", .value(try weights(node, 2))),
      ("bias", try bias(node)), ("direction", .string("forward")), ("output_sequence", .bool(true)),
    ]
    let functions = try functions(of: node)
    let outputs: [MILValue]
    if node.type == "LSTM" {
      operands += [
        ("initial_c", .value(states[1])), ("recurrent_activation", .string(functions[0])),
        ("cell_activation", .string(functions[1])), ("activation", .string(functions[2])),
      ]
      outputs = try program.add(
        "lstm", operands,
        outputs: [shapes[0], shapes[1], shapes[1]].map { MILType(data: .float32, shape: $0) })
    } else {
      // The hard sigmoid of this operation has another name.
      let name = functions[0] == "hard_sigmoid" ? "sigmoid_hard" : functions[0]
      operands.append(("activation", .string(name)))
      outputs = try program.add(
        "rnn", operands, outputs: shapes.map { MILType(data: .float32, shape: $0) })
    }
    // The graph has an axis for directions, and the steps in the order of the input.
    let steps = isReversed ? try program.reverse(outputs[0], 0) : outputs[0]
    return [try program.expand(steps, [1])]
      + (try outputs.dropFirst().map { value throws(NetconvError) in try program.expand(value, [0])
      })
  }

  /// Returns a matrix without the axis for directions.
  private static func weights(_ node: MILNode, _ index: Int) throws(NetconvError) -> MILValue {
    let value = try node.input(index)
    guard let sizes = value.knownShape, let matrix = value.reshaped(Array(sizes.dropFirst())) else {
      throw .openParameterForCoreML(node.type)
    }
    return matrix
  }

  /// Returns the only bias; the graph has one for each matrix.
  private static func bias(_ node: MILNode) throws(NetconvError) -> MILOperand? {
    guard let value = node.optional(3) else { return nil }
    guard case .joined(let halves, _) = value.contents, halves.count == 2,
      let zero = halves.firstIndex(where: \.isZero)
    else { throw .refusedByCoreML("has a bias for each of its kernels") }
    let half = halves[1 - zero]
    guard let count = half.knownShape?.last, let vector = half.reshaped([count]) else {
      throw .openParameterForCoreML(node.type)
    }
    return .value(vector)
  }

  /// Returns the names of the activation functions.
  ///
  /// Source: coremltools, converters/mil/mil/ops/defs/iOS15/recurrent.py, `lstm`; mlmodel/format/NeuralNetwork.proto,
  /// `ActivationSigmoidHard`: the hard sigmoid has a slope of 0.2.
  private static func functions(of node: MILNode) throws(NetconvError) -> [String] {
    var alphas = node.floats("activation_alpha")[...]
    return try node.strings("activations").map { name throws(NetconvError) in
      switch name {
      case "Sigmoid": return "sigmoid"
      case "Tanh": return "tanh"
      case "Relu": return "relu"
      case "Affine":
        _ = alphas.popFirst()
        return "linear"
      case "HardSigmoid" where alphas.popFirst() == 0.2: return "hard_sigmoid"
      default: throw .refusedByCoreML("has the activation \(name) in its steps")
      }
    }
  }
}

extension MILBuilder {
  /// Returns the first states: those of the node, or zeros for each sample.
  fileprivate mutating func states(
    _ node: MILNode, _ x: MILValue, _ units: Int
  ) throws(NetconvError) -> [MILValue] {
    let count = node.type == "LSTM" ? 2 : 1
    guard node.optional(5) != nil else {
      return [MILValue](repeating: try zeros(x, units), count: count)
    }
    return try (5..<5 + count).map { index throws(NetconvError) in
      try squeeze(node.input(index), [0])
    }
  }

  private mutating func zeros(_ x: MILValue, _ units: Int) throws(NetconvError) -> MILValue {
    let sizes = try add("shape", [("x", .value(x))], shape: [x.rank], data: .int32)
    let batch = try slice(sizes, [(1, 2, 1)])
    let shape = try add(
      "concat",
      [
        ("values", .list([batch, ints([units])])), ("axis", .int(0)), ("interleave", .bool(false)),
      ], shape: [2], data: .int32)
    return try add(
      "fill", [("shape", .value(shape)), ("value", .float(0))], shape: [x.shape[1], units])
  }
}
