import ModelIR

extension GraphDefinition {
  /// Checks that every node reads nodes that there are, and that none waits for itself; what the outputs do not need
  /// is checked too.
  ///
  /// - Throws: `badData`.
  func checkReferences() throws(NetconvError) {
    var waiting: [String: Int] = [:]
    var readers: [String: [String]] = [:]
    for node in nodes.all {
      var sources: Set<String> = []
      for input in node.inputs {
        let source = TensorName(input).node
        guard nodes[source] != nil else { throw .missingNode(source).inLayer(node.name) }
        sources.insert(source)
        // A loop of TensorFlow 1 is closed by these.
        if node.operation.hasSuffix("Merge"),
          nodes[source]?.operation.hasSuffix("NextIteration") ?? false
        {
          sources.remove(source)
        }
      }
      for control in node.controls {
        guard nodes[control] != nil else { throw .missingNode(control).inLayer(node.name) }
        sources.insert(control)
      }
      waiting[node.name] = sources.count
      for source in sources { readers[source, default: []].append(node.name) }
    }
    var ready = nodes.all.filter { waiting[$0.name] == 0 }.map(\.name)
    var count = 0
    while let name = ready.popLast() {
      count += 1
      for reader in readers[name] ?? [] {
        waiting[reader, default: 0] -= 1
        if waiting[reader] == 0 { ready.append(reader) }
      }
    }
    guard count == nodes.all.count else {
      throw .circleOfNodes(nodes.all.map(\.name).filter { waiting[$0] ?? 0 > 0 })
    }
  }
}
