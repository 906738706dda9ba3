import ModelIR

/// The boolean flags that have a known value at inference, and the branches that depend on them.
///
/// A TensorFlow 1 graph contains both branches, between `Switch` and `Merge`. A flag that is fed, such as
/// `is_training`, is assumed to be false; only a scalar can be such a flag.
struct GraphFlags {
  private let nodes: GraphNodes
  private var live: [String: String] = [:]

  init(_ graph: GraphDefinition) throws(NetconvError) {
    nodes = graph.nodes
    guard nodes.all.contains(where: { $0.operation == "Merge" || $0.operation == "RefMerge" })
    else { return }
    let dead = deadNodes()
    for node in nodes.all where node.operation.hasSuffix("Merge") {
      let alive = node.inputs.filter { !isDead($0, dead) }
      if alive.count == 1 { live[node.name] = alive[0] }
    }
  }

  /// The value of a flag in the graph; `nil` if it is not known.
  func value(of tensor: String) -> Bool? {
    var negated = false
    var name = TensorName(tensor).node
    // Each step visits another node, unless there is a cycle.
    for _ in 0..<Self.stepLimit {
      guard let node = nodes[name] else { return nil }
      switch Self.origin(of: node) {
      case .flag(let tensor, let negates):
        name = TensorName(tensor).node
        if negates { negated.toggle() }
      case .value(let value): return value != negated
      case nil: return nil
      }
    }
    return nil
  }

  /// The origin of a boolean: another tensor, or a known value.
  enum Origin {
    case flag(String, negated: Bool)
    case value(Bool)
  }

  /// The largest number of steps from a flag to its origin.
  static let stepLimit = 64

  /// The origin of a node's boolean output; `nil` if it is not known.
  static func origin(of node: GraphNode) -> Origin? {
    switch node.operation {
    case "Identity", "PlaceholderWithDefault", "Squeeze", "Reshape", "Switch":
      return node.inputs.first.map { .flag($0, negated: false) }
    case "LogicalNot": return node.inputs.first.map { .flag($0, negated: true) }
    case "Const":
      guard case .tensor(let tensor) = node.attributes["value"], tensor.type == .bool,
        tensor.shape.allSatisfy({ $0 == 1 }), let value = try? tensor.numbers(limit: 1).first
      else { return nil }
      return .value(value != 0)
    case "Placeholder": return isFlag(node) ? .value(false) : nil
    default: return nil
    }
  }

  /// The placeholders that control branches and are assumed to be false.
  var assumed: [String] {
    var found: Set<String> = []
    for node in nodes.all {
      switch node.operation {
      case "Switch", "RefSwitch": if node.inputs.count > 1 { found.insert(origin(node.inputs[1])) }
      case "If", "StatelessIf": if let first = node.inputs.first { found.insert(origin(first)) }
      default: break
      }
    }
    return nodes.all.filter { Self.isFlag($0) && found.contains($0.name) }.map(\.name)
  }

  /// The node from which a flag originates.
  private func origin(_ tensor: String) -> String {
    var name = TensorName(tensor).node
    for _ in 0..<64 {
      guard let node = nodes[name], let input = node.inputs.first else { break }
      name = TensorName(input).node
    }
    return name
  }

  /// The live input of a `Merge`, if it is known.
  func liveInput(of node: GraphNode) -> String? { live[node.name] }

  /// True if a node is fed a boolean scalar.
  static func isFlag(_ node: GraphNode) -> Bool {
    guard node.operation == "Placeholder", case .type(let type) = node.attributes["dtype"],
      type == .bool
    else { return false }
    guard case .shape(let shape) = node.attributes["shape"] else { return true }
    return shape.dimensions?.isEmpty ?? true
  }

  private func isDead(_ tensor: String, _ dead: Set<String>) -> Bool {
    let name = TensorName(tensor)
    if dead.contains(name.node) { return true }
    guard let node = nodes[name.node], node.operation.hasSuffix("Switch"), node.inputs.count > 1,
      let flag = value(of: node.inputs[1])
    else { return false }
    return (name.output(of: node) == 1) != flag
  }

  /// The nodes that never run: those that read, or wait for, a branch that is not taken.
  private func deadNodes() -> Set<String> {
    var dead: Set<String> = []
    let readers = ValueReaders(of: nodes.all.map(\.sources))
    var waiting = nodes.all.filter { $0.operation.hasSuffix("Switch") }.flatMap { readers[$0.name] }
    while let next = waiting.popLast() {
      let node = nodes.all[next]
      guard !dead.contains(node.name) else { continue }
      let isMerge = node.operation.hasSuffix("Merge")
      let isStopped =
        isMerge
        ? !node.inputs.isEmpty && node.inputs.allSatisfy { isDead($0, dead) }
        : node.inputs.contains { isDead($0, dead) } || node.controls.contains(where: dead.contains)
      guard isStopped else { continue }
      dead.insert(node.name)
      waiting += readers[node.name]
    }
    return dead
  }
}
