import ModelIR

/// Recurrent layers.
///
/// Source: coremltools, converters/mil/mil/ops/defs/iOS15/recurrent.py.
enum CoreMLRecurrence: CoreMLOperationKind {
  static let names = ["lstm", "rnn"]

  static func write(
    _ operation: MappedCoreMLOperation, to nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    switch operation.type {
    case "lstm": try lstm(operation, &nodes)
    case "rnn": try rnn(operation, &nodes)
    default: throw .unknownOperation(operation.type, reading: [])
    }
  }

  private static func lstm(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    for parameter in ["peephole", "peephole_back", "clip"]
    where operation.optional(parameter) != nil {
      throw .unreadUse("an lstm with \(parameter)")
    }
    try recur(
      operation, &nodes, "LSTM", states: ["initial_h", "initial_c"], gates: 4,
      functions: ["recurrent_activation", "cell_activation", "activation"])
  }

  private static func rnn(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    try recur(operation, &nodes, "RNN", states: ["initial_h"], gates: 1, functions: ["activation"])
  }

  private static func recur(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes, _ type: String,
    states: [String], gates: Int, functions: [String]
  ) throws(NetconvError) {
    let direction = try operation.text("direction", "forward")
    let isSequence = try operation.flag("output_sequence")
    guard direction != "reverse" || !isSequence else {
      throw .unreadUse("a reversed \(operation.type) with all steps, whose order is not documented")
    }
    let isBoth = direction == "bidirectional"
    let suffixes = isBoth ? ["", "_back"] : [""]
    guard let units = nodes.shape(of: try operation.input("weight_hh"))?.last ?? nil else {
      throw .missingAttribute("weight_hh")
    }
    var operands = [try operation.input("x")]
    for parameter in ["weight_ih", "weight_hh"] {
      let parts = try suffixes.map { suffix throws(NetconvError) in
        arranged(try operation.input(parameter + suffix), gates, &nodes)
      }
      operands.append(stacked(parts, &nodes))
    }
    operands.append(try biases(operation, suffixes, gates, units, &nodes))
    let beginnings = try states.map { parameter throws(NetconvError) in
      try beginning(operation.input(parameter), isBoth, &nodes)
    }
    if beginnings.contains(where: { !$0.isEmpty }) {
      guard !beginnings.contains("") else { throw .unreadUse("one of the first states is zeros") }
      operands += [""] + beginnings
    }
    while operands.last == "" { operands.removeLast() }
    var attributes: [String: ONNXAttribute] = [
      "hidden_size": .integer(units), "direction": .text(direction),
    ]
    let names = try functions.map { parameter throws(NetconvError) in
      try function(
        operation.text(parameter, parameter == "recurrent_activation" ? "sigmoid" : "tanh"))
    }
    let list = suffixes.flatMap { _ in names }
    attributes["activations"] = .texts(list)
    let hard = list.filter { $0 == "HardSigmoid" }
    if !hard.isEmpty {
      attributes["activation_alpha"] = .numbers(hard.map { _ in 0.2 })
      attributes["activation_beta"] = .numbers(hard.map { _ in 0.5 })
    }
    let results = (0...states.count).map { "\(operation.output)/\(type)/\($0)" }
    nodes.node(type, operands, attributes, to: results)
    returns(results, operation.outputs, isSequence: isSequence, isBoth: isBoth, &nodes)
  }

  /// Returns a matrix or a bias with its gates in the order of the graph: the cell's gate is before the output's there.
  private static func arranged(_ name: String, _ gates: Int, _ nodes: inout CoreMLNodes) -> String {
    guard gates == 4 else { return name }
    let parts = ["i", "f", "o", "z"].map { "\(name)/\($0)" }
    nodes.node("Split", [name], ["axis": .integer(0)], to: parts)
    // The graph has the order input, output, forget, cell.
    return nodes.node("Concat", [parts[0], parts[2], parts[1], parts[3]], ["axis": .integer(0)])
  }

  /// Returns parameters with an axis for directions.
  private static func stacked(_ parts: [String], _ nodes: inout CoreMLNodes) -> String {
    let own = parts.map { nodes.node("Unsqueeze", [$0, nodes.ints([0])]) }
    return own.count == 1 ? own[0] : nodes.node("Concat", own, ["axis": .integer(0)])
  }

  /// Returns the biases, each followed by zeros for the second one of the graph; empty if there are none.
  private static func biases(
    _ operation: MappedCoreMLOperation, _ suffixes: [String], _ gates: Int, _ units: Int,
    _ nodes: inout CoreMLNodes
  ) throws(NetconvError) -> String {
    guard suffixes.contains(where: { operation.optional("bias" + $0) != nil }) else { return "" }
    let zeros = nodes.floats([Double](repeating: 0, count: gates * units), [gates * units])
    let parts = suffixes.map { suffix in
      let own = operation.optional("bias" + suffix).map { arranged($0, gates, &nodes) }
      return nodes.node("Concat", [own ?? zeros, zeros], ["axis": .integer(0)])
    }
    return stacked(parts, &nodes)
  }

  /// Returns a first state with an axis for directions; empty for zeros.
  private static func beginning(
    _ name: String, _ isBoth: Bool, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) -> String {
    if try nodes.isZero(name) { return "" }
    guard !isBoth else { throw .unreadUse("a first state of both directions") }
    return nodes.node("Unsqueeze", [name, nodes.ints([0])])
  }

  /// Adds the outputs of the operation from those of the graph, which have an axis for directions.
  private static func returns(
    _ results: [String], _ outputs: [String], isSequence: Bool, isBoth: Bool,
    _ nodes: inout CoreMLNodes
  ) {
    let merged = { (name: String, output: [String], nodes: inout CoreMLNodes) -> String in
      guard isBoth else { return nodes.node("Squeeze", [name, nodes.ints([0])], to: output) }
      let moved = nodes.node("Transpose", [name], ["perm": .integers([1, 0, 2])])
      return nodes.node("Reshape", [moved, nodes.ints([0, -1])], to: output)
    }
    for (result, output) in zip(results, outputs).dropFirst() {
      _ = merged(result, [output], &nodes)
    }
    guard isSequence else {
      let last = merged(results[1], [], &nodes)
      nodes.node("Unsqueeze", [last, nodes.ints([0])], to: [outputs[0]])
      return
    }
    guard isBoth else {
      nodes.node("Squeeze", [results[0], nodes.ints([1])], to: [outputs[0]])
      return
    }
    let moved = nodes.node("Transpose", [results[0]], ["perm": .integers([0, 2, 1, 3])])
    nodes.node("Reshape", [moved, nodes.ints([0, 0, -1])], to: [outputs[0]])
  }

  private static func function(_ name: String) throws(NetconvError) -> String {
    let names = [
      "hard_sigmoid": "HardSigmoid", "sigmoid_hard": "HardSigmoid", "relu": "Relu",
      "sigmoid": "Sigmoid", "tanh": "Tanh", "linear": "Affine",
    ]
    guard let found = names[name] else { throw .unreadUse("the activation \(name) in steps") }
    return found
  }
}
