import ModelIR

/// A user's option for an input: a node, and optionally its shape, as in `name=?x28x28x1`.
struct GraphInputName {
  let name: String
  /// The shape, batch included; `nil` if the graph determines it.
  let shape: GraphShape?

  /// Parses a name, or a name and a shape.
  ///
  /// - Throws: `usage` if the text after the last `=` is not a shape.
  init(_ text: String) throws(NetconvError) {
    guard let sign = text.lastIndex(of: "=") else {
      name = text
      shape = nil
      return
    }
    var dimensions: [Int?] = []
    for part in text[text.index(after: sign)...].split(
      separator: "x", omittingEmptySubsequences: false)
    {
      if part == "?" {
        dimensions.append(nil)
      } else if let size = Int(part), size > 0 {
        dimensions.append(size)
      } else {
        throw .wrongInputShape(text)
      }
    }
    name = String(text[..<sign])
    shape = GraphShape(dimensions)
  }
}

extension GraphDefinition {
  /// Returns the graph with the shapes that a user states, and with input shapes inferred from convolutions.
  ///
  /// - Throws: `usage` if there is no such node.
  func stating(_ inputs: [GraphInputName]) throws(NetconvError) -> GraphDefinition {
    var graph = self
    let named = Set(inputs.map { TensorName($0.name).node })
    let convolved = convolvedShapes
    for node in nodes.all where node.operation == "Placeholder" || named.contains(node.name) {
      guard
        let shape = node.attributes.statedShape ?? reshapedShape(of: node) ?? convolved[node.name]
      else { continue }
      graph.nodes.state(shape, of: node.name)
    }
    for input in inputs {
      guard let shape = input.shape else { continue }
      graph.nodes.state(shape, of: TensorName(input.name).node)
    }
    return graph
  }

  /// The result shape of a reshape to constant sizes.
  private func reshapedShape(of node: GraphNode) -> GraphShape? {
    guard node.operation == "Reshape", node.inputs.count > 1,
      case .tensor(let sizes) = nodes[TensorName(node.inputs[1]).node]?.attributes["value"],
      let numbers = try? sizes.numbers(limit: 64)
    else { return nil }
    return GraphShape(numbers.map { $0 < 0 ? nil : Int(exactly: $0) })
  }

  /// The input shapes of convolutions, by node: all axes, and the input channels of the kernel.
  private var convolvedShapes: [String: GraphShape] {
    let ranks = ["Conv2D": 4, "Conv3D": 5, "DepthwiseConv2dNative": 4]
    var shapes: [String: GraphShape] = [:]
    for reader in nodes.all {
      guard let rank = ranks[reader.operation], reader.inputs.count > 1,
        let kernel = constantShape(of: reader.inputs[1]), kernel.count == rank
      else { continue }
      var sizes = [Int?](repeating: nil, count: rank - 1) + [kernel[rank - 2]]
      if case .text(let format) = reader.attributes["data_format"],
        ["NCHW", "NCDHW"].contains(String(decoding: format, as: UTF8.self))
      {
        sizes = [nil, kernel[rank - 2]] + [Int?](repeating: nil, count: rank - 2)
      }
      shapes[TensorName(reader.inputs[0]).node] = GraphShape(sizes)
    }
    return shapes
  }

  /// The node with this name; in a function, the path starts with the name of the calling node.
  func node(at path: String) -> GraphNode? {
    var nodes = nodes
    var rest = path[...]
    for _ in 0..<64 {
      if let node = nodes[String(rest)] { return node }
      guard let (call, function) = call(in: nodes, before: rest) else { return nil }
      rest = rest.dropFirst(call.name.count + 1)
      nodes = function.nodes
    }
    return nil
  }

  /// The node that calls a function and whose name starts the path.
  func call(
    in nodes: GraphNodes, before path: Substring
  ) -> (node: GraphNode, function: GraphFunction)? {
    var end = path.startIndex
    while let slash = path[end...].firstIndex(of: "/") {
      if let node = nodes[String(path[..<slash])] {
        if case .function(let name) = node.attributes["f"], let function = functions[name] {
          return (node, function)
        }
        if let function = functions[node.operation] { return (node, function) }
      }
      end = path.index(after: slash)
    }
    return nil
  }

  private func constantShape(of tensor: String) -> [Int]? {
    var name = TensorName(tensor).node
    for _ in 0..<8 {
      guard let node = nodes[name] else { return nil }
      if case .tensor(let value) = node.attributes["value"] { return value.shape }
      if case .shape(let shape) = node.attributes["shape"], node.inputs.isEmpty {
        return shape.known
      }
      guard let input = node.inputs.first else { return nil }
      name = TensorName(input).node
    }
    return nil
  }
}

extension NetconvError {
  fileprivate static func wrongInputShape(_ text: String) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "\(.graphInput) is \(quoted(text)); expected a shape behind the last '=', such as name=?x28x28x1, "
        + "with the batch first and ? for what is open")
  }
}
