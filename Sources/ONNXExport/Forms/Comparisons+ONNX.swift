import ModelIR
import Operators

extension Pairwise: ONNXForm {
  static var onnxOperations: String {
    "`And`, `Equal`, `Floor`, `Greater`, `GreaterOrEqual`, `Less`, `LessOrEqual`, `Mod`, `Not`, `Or`, `Pow`, with `Cast` "
      + "from and to truth values"
  }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let (names, order) = graph.unified(x)
    return [ONNXValue(name: apply(to: names, &graph), order: order, shape: layer.shape)]
  }

  private func apply(to x: [String], _ graph: inout ONNXGraphBuilder) -> String {
    switch function {
    case .and: graph.number(of: graph.add("And", x.map { graph.truth(of: $0) }))
    case .equal: graph.number(of: graph.add("Equal", x))
    case .floorQuotient: graph.add("Floor", [graph.add("Div", x)])
    case .greater: graph.number(of: graph.add("Greater", x))
    case .greaterOrEqual: graph.number(of: graph.add("GreaterOrEqual", x))
    case .less: graph.number(of: graph.add("Less", x))
    case .lessOrEqual: graph.number(of: graph.add("LessOrEqual", x))
    case .modulo: modulo(x, &graph)
    case .notEqual: graph.number(of: graph.add("Not", [graph.add("Equal", x)]))
    case .or: graph.number(of: graph.add("Or", x.map { graph.truth(of: $0) }))
    case .power: graph.add("Pow", x)
    case .remainder: graph.add("Mod", x, .int("fmod", 1))
    }
  }

  /// Computes the remainder, and adds the divisor where their signs differ.
  private func modulo(_ x: [String], _ graph: inout ONNXGraphBuilder) -> String {
    let rest = graph.add("Mod", x, .int("fmod", 1))
    let signs = graph.add("Mul", [graph.add("Sign", [rest]), graph.add("Sign", [x[1]])])
    let differs = graph.add("Less", [signs, graph.float(0)])
    return graph.add("Where", [differs, graph.add("Add", [rest, x[1]]), rest])
  }
}

extension Where: ONNXForm {
  static var onnxOperations: String { "`Where`, with `Cast` to truth values" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let (names, order) = graph.unified(x)
    let chosen = graph.add(
      "Where", [graph.truth(of: names[0]), names[1], names[2]], isMain: true)
    return [ONNXValue(name: chosen, order: order, shape: layer.shape)]
  }
}

extension ArgReduce: ONNXForm {
  static var onnxOperations: String { "`ArgMax` or `ArgMin`, with `Cast` to float32" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    // A flattened vector must be in the order of the model, as its indices are the result.
    let input = graph.expanded(x[0].shape.rank == 1 ? graph.value(x[0], .last) : x[0])
    let axis = try AxisList([axis]).indices(rank: input.shape.rank)[0]
    let indices = graph.add(
      function == .maximum ? "ArgMax" : "ArgMin", [input.name], .int("axis", input.axis(axis)),
      .int("keepdims", keepDimensions ? 1 : 0), .int("select_last_index", takesLast ? 1 : 0),
      isMain: true)
    return [
      input.reduced(to: graph.number(of: indices), along: [axis], keepDimensions, layer.shape)
    ]
  }
}

extension ONNXGraphBuilder {
  /// Converts truth values or integers to float32.
  mutating func number(of x: String) -> String { add("Cast", [x], .int("to", 1)) }

  /// Converts numbers to truth values, which are true for numbers other than 0.
  mutating func truth(of x: String) -> String { add("Cast", [x], .int("to", 9)) }
}
