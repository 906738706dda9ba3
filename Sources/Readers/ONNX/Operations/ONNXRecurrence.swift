import ModelIR
import Operators

/// Recurrent layers, forward, reverse or bidirectional.
///
/// Source: onnx/docs/Operators.md, `LSTM`, `GRU` and `RNN`.
enum ONNXRecurrence: ONNXOperation {
  static let names = ["GRU", "LSTM", "RNN"]
  static let operators: [any Operator.Type] = [
    Concatenate.self, GRU.self, LSTM.self, Permute.self, Reshape.self, Reverse.self,
    SimpleRNN.self, TimeDistributed.self,
  ]
  static let refused = [
    "peepholes that are not zeros", "clip", "input_forget", "sequence_lens other than the length",
    "two activations of an LSTM that differ", "activations such as Affine and ScaledTanh",
  ]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let isBatchFirst = node.flag("layout")
    let input = try graph.sequence(node.value(0), isBatchFirst: isBatchFirst)
    guard node.node.attributes["clip"] == nil else {
      throw .unknownSetting("clip", "\(node.number("clip", default: 0))", known: ["none"])
    }
    guard !node.flag("input_forget") else {
      throw .unknownSetting("input_forget", "1", known: ["0"])
    }
    try checkLengths(node, of: input)
    if let peepholes = node.optional(7), try !graph.isZeros(peepholes) {
      throw .unreadUse("the input P has peepholes")
    }
    let directions = try directions(node)
    var sequences: [GraphValue] = []
    var states: [[GraphValue]] = []
    for (index, isBackwards) in directions.enumerated() {
      let layer = try layer(node, index, of: directions.count, isBackwards)
      let beginning = try beginning(node, index, isBatchFirst, &graph)
      let result = try graph.recur(input, layer, from: beginning)
      sequences.append(result.sequence)
      for (state, value) in result.states.enumerated() {
        if states.count == state { states.append([]) }
        states[state].append(value)
      }
    }
    return try ([sequences] + states).enumerated().map { index, parts throws(NetconvError) in
      .value(try joined(parts, isBatchFirst, batchAxis: index == 0 ? 2 : 1, &graph))
    }
  }

  /// Joins the results of both directions, whose units have their own axes, which most graphs then merge.
  ///
  /// - Parameter batchAxis: the axis of the batch in the result, unless it is the first.
  private static func joined(
    _ parts: [GraphValue], _ isBatchFirst: Bool, batchAxis: Int, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphValue {
    let (sizes, batch) = (parts[0].shape.dimensions, parts[0].batch)
    let joined =
      parts.count == 1
      ? parts[0]
      : try graph.draft(Concatenate(axis: sizes.count - 1), parts, batch: batch)
    let value = try graph.reshape(
      joined, to: Shape(sizes.dropLast() + [parts.count, sizes[sizes.count - 1]]))
    guard !isBatchFirst else { return value.with(batch) }
    guard batch == nil else { return value.with(.init(axis: batchAxis)) }
    // The axis of the sequences is one of the sample.
    return try graph.draft(
      Permute(order: Array(1...batchAxis) + [0, batchAxis + 1]), [value], batch: nil)
  }

  /// For each direction, true if it is reversed.
  private static func directions(_ node: MappedONNXNode) throws(NetconvError) -> [Bool] {
    switch node.text("direction", default: "forward") {
    case "forward": return [false]
    case "reverse": return [true]
    case "bidirectional": return [false, true]
    case let other:
      throw .unknownSetting("direction", other, known: ["bidirectional", "forward", "reverse"])
    }
  }

  /// Checks that all sequences have the length of the input.
  private static func checkLengths(
    _ node: MappedONNXNode, of input: GraphValue
  ) throws(NetconvError) {
    guard node.optional(4) != nil else { return }
    guard let lengths = try node.optionalConstant(4)?.integers(),
      lengths.allSatisfy({ $0 == input.shape.dimensions[input.shape.rank - 2] })
    else { throw .unreadUse("sequence_lens ends sequences before others") }
  }

  private static func layer(
    _ node: MappedONNXNode, _ direction: Int, of count: Int, _ isBackwards: Bool
  ) throws(NetconvError) -> GraphRecurrence {
    let recurrent = try node.constant(2).direction(direction, of: count)
    guard recurrent.shape.count == 2 else {
      throw .wrongRankOfConstant(recurrent.shape, expected: 2)
    }
    let units = recurrent.shape[1]
    if let stated = node.integer("hidden_size"), stated != units {
      throw .unknownSetting("hidden_size", "\(stated)", known: ["\(units)"])
    }
    let activations = try activations(node, direction)
    var biases: (GraphConstant, GraphConstant)?
    if let both = try node.optionalConstant(3)?.direction(direction, of: count) {
      let half = both.count / 2
      let parts = try both.split(along: 0, sizes: [half, both.count - half], at: both.path)
      biases = (parts[0], parts[1])
    }
    let cell: GraphRecurrence.Cell =
      switch node.operation {
      case "LSTM": .lstm
      case "GRU": .gru(resetsAfter: node.flag("linear_before_reset"))
      default: .simple
      }
    return GraphRecurrence(
      cell: cell, units: units, activation: activations.value,
      gateActivation: activations.gate, goesBackwards: isBackwards,
      kernel: try node.constant(1).direction(direction, of: count), recurrent: recurrent,
      biases: biases,
      gates: node.operation == "LSTM" ? .iofc : node.operation == "GRU" ? .zrh : nil)
  }

  /// The initial states; empty if they are zeros.
  private static func beginning(
    _ node: MappedONNXNode, _ direction: Int, _ isBatchFirst: Bool, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphValue] {
    var states: [GraphValue] = []
    let given = [node.optional(5), node.operation == "LSTM" ? node.optional(6) : nil]
    var isZero = true
    for case .some(let state) in given where isZero { isZero = try graph.isZeros(state) }
    if isZero { return [] }
    for state in given.prefix(node.operation == "LSTM" ? 2 : 1) {
      // A single omitted state is zeros, which no layer returns.
      guard let state else { throw .unreadUse("one of the states to begin with is left out") }
      let batch = isBatchFirst ? 0 : 1
      let directions = 1 - batch
      var value: GraphResult = state
      if case .constant(let constant) = state {
        guard constant.shape.count == 3, constant.shape[batch] == 1 else { throw .batchAxis }
        value = .value(
          try graph.table(constant, of: [constant.shape[directions], constant.shape[2]]).with(
            .init(axis: batch)))
      }
      let own = try graph.slice(value) { shape throws(NetconvError) in
        var slice = StridedSlice(of: shape)
        for axis in shape.indices {
          if axis == directions { try slice.take(index: direction) } else { try slice.takeAll() }
        }
        return slice
      }
      states.append(try graph.sample(own))
    }
    return states
  }

  /// The activations of one direction.
  private static func activations(
    _ node: MappedONNXNode, _ direction: Int
  ) throws(NetconvError) -> (gate: ActivationFunction, value: ActivationFunction) {
    let usual: [String] =
      switch node.operation {
      case "LSTM": ["Sigmoid", "Tanh", "Tanh"]
      case "GRU": ["Sigmoid", "Tanh"]
      default: ["Tanh"]
      }
    var names = (0...direction).flatMap { _ in usual }
    if case .texts(let stated) = node.node.attributes["activations"], !stated.isEmpty {
      guard stated.count >= (direction + 1) * usual.count else {
        throw .unknownSetting("activations", "\(stated)", known: ["\(usual)"])
      }
      names = stated
    }
    let all = try functions(node, names)
    let functions = Array(all[direction * usual.count..<(direction + 1) * usual.count])
    guard functions.count < 3 || functions[1] == functions[2] else {
      throw .unknownSetting("activations", "\(names)", known: ["the last two the same"])
    }
    return (functions[0], functions[min(1, functions.count - 1)])
  }

  /// The activations of all directions; those with parameters take them from the lists in order.
  private static func functions(
    _ node: MappedONNXNode, _ names: [String]
  ) throws(NetconvError) -> [ActivationFunction] {
    let wanted = names.count { ["elu", "hardsigmoid", "leakyrelu"].contains($0.lowercased()) }
    var alphas: [Double?] = node.numbers("activation_alpha") ?? []
    if alphas.isEmpty { alphas = [Double?](repeating: nil, count: wanted) }
    guard alphas.count == wanted else {
      throw .unknownSetting(
        "activation_alpha", "a list of \(alphas.count)", known: ["one for each that takes it"])
    }
    let betas = node.numbers("activation_beta") ?? []
    guard betas.allSatisfy({ $0 == 0.5 }) else {
      throw .unknownSetting("activation_beta", "\(betas)", known: ["0.5"])
    }
    var next = alphas[...]
    var functions: [ActivationFunction] = []
    for name in names {
      let takesAlpha = ["elu", "hardsigmoid", "leakyrelu"].contains(name.lowercased())
      functions.append(try function(name, alpha: takesAlpha ? next.popFirst() ?? nil : nil))
    }
    return functions
  }

  private static func function(
    _ name: String, alpha: Double?
  ) throws(NetconvError) -> ActivationFunction {
    switch name.lowercased() {
    case "elu": return .elu(alpha: alpha ?? 1)
    case "hardsigmoid": return .hardSigmoid(slope: alpha ?? Double(Float(0.2)))
    case "leakyrelu": return .leakyReLU(negativeSlope: alpha ?? Double(Float(0.01)))
    case "relu": return .relu
    case "sigmoid": return .sigmoid
    case "softplus": return .softplus
    case "softsign": return .softsign
    case "tanh": return .tanh
    default:
      throw .unknownSetting(
        "activations", name,
        known: [
          "Elu", "HardSigmoid", "LeakyRelu", "Relu", "Sigmoid", "Softplus", "Softsign", "Tanh",
        ])
    }
  }
}

extension GraphConstant {
  /// The slice of one direction along the first axis.
  fileprivate func direction(_ index: Int, of count: Int) throws(NetconvError) -> GraphConstant {
    guard let first = shape.first, first == count else {
      throw .wrongRankOfConstant(shape, expected: 3)
    }
    let rest = Array(shape.dropFirst())
    if count == 1 { return try reshaped(rest) }
    return try split(
      along: 0, sizes: [Int](repeating: 1, count: count), at: path)[index].reshaped(rest)
  }
}
