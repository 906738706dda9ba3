import ModelIR

extension GraphDefinition {
  /// Checks that all referenced nodes exist and that there are no cycles, including in parts that the outputs do not
  /// need.
  ///
  /// - Throws: `badData`.
  func checkReferences() throws(NetconvError) {
    let sources = try nodes.all.map { node throws(NetconvError) in
      for source in node.inputs.map({ TensorName($0).node }) + node.controls
      where nodes[source] == nil {
        throw .missingNode(source).inLayer(node.name)
      }
      // In TensorFlow 1, loops are closed by these nodes.
      guard node.operation.hasSuffix("Merge") else { return node.sources }
      return node.sources.filter { source in
        node.controls.contains(source)
          || nodes[source]?.operation.hasSuffix("NextIteration") != true
      }
    }
    let readers = ValueReaders(of: sources)
    var waiting = sources.map(\.count)
    var ready = waiting.indices.filter { waiting[$0] == 0 }
    var count = 0
    while let node = ready.popLast() {
      count += 1
      for reader in readers[nodes.all[node].name] {
        waiting[reader] -= 1
        if waiting[reader] == 0 { ready.append(reader) }
      }
    }
    guard count == nodes.all.count else {
      throw .circleOfNodes(waiting.indices.filter { waiting[$0] > 0 }.map { nodes.all[$0].name })
    }
  }
}
