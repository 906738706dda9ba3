import ModelIR

/// What a user says of an input: a node, and perhaps the shape of what is fed, as `name=?x28x28x1`.
struct GraphInputName {
  let name: String
  /// With the batch; `nil` if it is left to the graph.
  let shape: GraphShape?

  /// Reads a name, or a name and a shape.
  ///
  /// - Throws: `usage` if what stands behind the last `=` is no shape.
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
  /// The graph with the shapes that a user states, and with those of inputs that only a convolution tells.
  ///
  /// - Throws: `usage` if there is no such node.
  func stating(_ inputs: [GraphInputName]) throws(NetconvError) -> GraphDefinition {
    var graph = self
    for node in nodes.all where node.operation == "Placeholder" {
      if let shape = convolvedShape(of: node) { graph.nodes.state(shape, of: node.name) }
    }
    for input in inputs {
      guard let shape = input.shape else { continue }
      graph.nodes.state(shape, of: TensorName(input.name).node)
    }
    return graph
  }

  /// The shape of an input of any shape that a convolution reads: four axes, and the channels of the kernel.
  private func convolvedShape(of node: GraphNode) -> GraphShape? {
    if case .shape(let shape) = node.attributes["shape"], shape.dimensions != nil { return nil }
    for reader in nodes.all where reader.inputs.first.map({ TensorName($0).node }) == node.name {
      guard ["Conv2D", "DepthwiseConv2dNative"].contains(reader.operation), reader.inputs.count > 1,
        let kernel = constantShape(of: reader.inputs[1]), kernel.count == 4
      else { continue }
      if case .text(let format) = reader.attributes["data_format"], format == Array("NCHW".utf8) {
        return GraphShape([nil, kernel[2], nil, nil])
      }
      return GraphShape([nil, nil, nil, kernel[2]])
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
