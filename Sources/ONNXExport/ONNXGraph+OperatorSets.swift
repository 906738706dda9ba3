import ModelIR

extension ONNXGraph {
  /// Returns the graph in a newer operator set than the one that it was built in.
  ///
  /// Source: onnx/docs/Changelog.md; since opset 18 reductions have their axes as an operand, as the sum had before, and a
  /// split into equal parts states their number.
  func inOperatorSet(_ version: Int) -> ONNXGraph {
    guard version >= 18 else { return self }
    var axes: [[Int]: ONNXInitializer] = [:]
    var names = Set(initializers.map(\.name) + nodes.flatMap(\.outputs) + inputs.map(\.name))
    let nodes = nodes.map { node in
      node.withAxesAsOperand { list in
        if let known = axes[list] { return known.name }
        var name = "axes"
        while !names.insert(name).inserted { name += "_" }
        axes[list] = ONNXInitializer(name: name, shape: [list.count], values: .ints(list))
        return name
      }.withCountOfParts
    }
    var graph = ONNXGraph(
      name: name, nodes: nodes,
      initializers: initializers + axes.values.sorted { $0.name < $1.name }, inputs: inputs,
      outputs: outputs)
    graph.opset = version
    return graph
  }
}

extension ONNXNode {
  /// The node of a reduction with its axes as an operand.
  ///
  /// - Parameter operand: returns the name of a vector of integers.
  fileprivate func withAxesAsOperand(_ operand: ([Int]) -> String) -> ONNXNode {
    guard type.hasPrefix("Reduce"), inputs.count == 1,
      let index = attributes.firstIndex(where: { $0.name == "axes" }),
      case .ints(let axes) = attributes[index].value
    else { return self }
    var node = self
    node.attributes.remove(at: index)
    node.inputs.append(operand(axes))
    return node
  }

  /// The node with the number of parts that it splits its input into; that of a step's nodes, too.
  fileprivate var withCountOfParts: ONNXNode {
    var node = self
    if type == "Split", inputs.count == 1 {
      node.attributes.append(.int("num_outputs", outputs.count))
    }
    node.attributes = node.attributes.map { attribute in
      guard case .graph(let body) = attribute.value else { return attribute }
      return ONNXAttribute(
        name: attribute.name,
        value: .graph(
          ONNXGraph(
            name: body.name, nodes: body.nodes.map(\.withCountOfParts),
            initializers: body.initializers, inputs: body.inputs, outputs: body.outputs)))
    }
    return node
  }
}
