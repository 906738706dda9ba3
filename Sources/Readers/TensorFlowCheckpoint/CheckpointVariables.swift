import ModelIR

/// The variables of a checkpoint, separated into weights and others.
struct CheckpointVariables: Sendable {
  struct Variable: Sendable {
    /// The unique name: the program's name, the path to the object, or a name given by the user.
    var name: String
    let entry: TensorFlowCheckpoint.Entry
    /// The program's name of the variable; empty if unknown.
    let fullName: String
    /// The index of its object; `nil` in a name-based checkpoint.
    let node: Int?
  }

  /// The weights in the order of the objects, or sorted by name.
  private(set) var weights: [Variable] = []
  /// The other entries of the checkpoint, by name.
  private(set) var leftOut: [(name: String, role: CheckpointRole)] = []
  /// ``leftOut`` without the object graph, which every TensorFlow 2 checkpoint has.
  var others: [(name: String, role: CheckpointRole)] {
    leftOut.filter { $0.name != ObjectGraph.key }
  }
  let checkpoint: TensorFlowCheckpoint
  let graph: ObjectGraph?

  /// Classifies the variables of a checkpoint.
  ///
  /// - Throws: `badData` if its object graph is damaged.
  init(_ checkpoint: TensorFlowCheckpoint) throws(NetconvError) {
    self.checkpoint = checkpoint
    graph = try checkpoint.objectGraph()
    if let graph {
      addObjects(of: graph)
    } else {
      addNames()
    }
  }

  // MARK: - Name-based checkpoints

  /// Adds the variables by name; a slot has the name of its variable as a prefix, and the same shape.
  private mutating func addNames() {
    for entry in checkpoint.entries {
      let scope = entry.scope
      let role: CheckpointRole? =
        if let role = entry.unreadableRole {
          role
        } else if entry.shape.isEmpty, CheckpointRole.isCounter(entry.lastName) {
          .counter
        } else if CheckpointRole.isSlot(
          scope, hasShape: { checkpoint[$0].map { $0.shape == entry.shape } ?? false })
        {
          .slot
        } else {
          nil
        }
      if let role {
        leftOut.append((entry.name, role))
      } else {
        weights.append(Variable(name: entry.name, entry: entry, fullName: "", node: nil))
      }
    }
  }

  // MARK: - Object-based checkpoints

  /// Adds the variables of objects; those reached through an optimizer or the like are not weights.
  private mutating func addObjects(of graph: ObjectGraph) {
    var seen = Set<Int>()
    var names: Set<String> = [ObjectGraph.key]
    leftOut.append((ObjectGraph.key, .text))
    // Slots are not reachable by name.
    var queue: [(start: Int, path: String, role: CheckpointRole)] = [(0, "", .weight)]
    queue += graph.nodes.flatMap(\.slots).map { ($0, "", .slot) }
    var next = 0
    while next < queue.count {
      let (start, path, role) = queue[next]
      next += 1
      var stack = [(start, path)]
      while let (node, path) = stack.popLast() {
        guard graph.nodes.indices.contains(node), seen.insert(node).inserted else { continue }
        for value in graph.nodes[node].values where names.insert(value.key).inserted {
          guard let entry = checkpoint[value.key] else { continue }
          add(entry, role, path: path, value.fullName, node)
        }
        for (name, child) in graph.nodes[node].children.reversed() where !seen.contains(child) {
          if role == .weight, let other = otherRole(name, child, in: graph) {
            queue.append((child, "", other))
          } else {
            stack.append((child, role == .weight ? Self.path(name, in: path) : ""))
          }
        }
      }
    }
    for entry in checkpoint.entries where !names.contains(entry.name) {
      leftOut.append((entry.name, entry.unreadableRole ?? .stray))
    }
    nameByProgram()
  }

  /// Returns a path, which starts anew when it becomes too long.
  private static func path(_ name: String, in path: String) -> String {
    path.isEmpty || path.utf8.count > longestPath ? name : path + "/" + name
  }

  private static let longestPath = 1024

  private func otherRole(_ name: String, _ node: Int, in graph: ObjectGraph) -> CheckpointRole? {
    if let role = CheckpointRole.ofObject(named: name) { return role }
    guard graph.nodes.indices.contains(node) else { return nil }
    return graph.nodes[node].slots.isEmpty ? nil : .optimizer
  }

  private mutating func add(
    _ entry: TensorFlowCheckpoint.Entry, _ role: CheckpointRole, path: String, _ fullName: String,
    _ node: Int
  ) {
    var role = entry.unreadableRole ?? role
    if role == .weight, entry.shape.isEmpty, CheckpointRole.isCounter(path.scopeAndLast.last) {
      role = .counter
    }
    if role == .weight {
      weights.append(
        Variable(
          name: path.isEmpty ? entry.name : path, entry: entry, fullName: fullName, node: node))
    } else {
      leftOut.append((entry.name, role))
    }
  }

  /// Renames all weights to the program's names, if each has one.
  private mutating func nameByProgram() {
    let names = weights.map(\.fullName)
    guard names.allSatisfy({ $0.contains("/") }), Set(names).count == names.count else { return }
    for index in weights.indices { weights[index].name = names[index] }
  }

  // MARK: - Renaming

  /// True if the user has given new names.
  private(set) var isRenamed = false

  /// Renames weights.
  ///
  /// - Parameter names: The new names by the old ones.
  /// - Throws: `usage` if an old name is not that of a weight, or a new name is not unique.
  mutating func rename(_ names: [String: String], isStrict: Bool) throws(NetconvError) -> Set<
    String
  > {
    var found: Set<String> = []
    for index in weights.indices where !names.isEmpty {
      let old = weights[index].name
      guard let new = names[old] else { continue }
      found.insert(old)
      weights[index].name = new
    }
    for old in names.keys.sorted() where isStrict && !found.contains(old) {
      if let other = leftOut.first(where: { $0.name == old }) {
        throw .renamesLeftOut(old, other.role)
      }
      throw .renamesNothing(old, among: weights.map(\.name))
    }
    var taken = Set<String>(minimumCapacity: weights.count)
    for weight in weights where !taken.insert(weight.name).inserted {
      throw .renamedToOne(weight.name)
    }
    isRenamed = !found.isEmpty
    return found
  }
}

extension TensorFlowCheckpoint.Entry {
  /// The role if the values are not readable.
  fileprivate var unreadableRole: CheckpointRole? {
    if type == .string { return .text }
    return elementType == nil ? .other(type) : nil
  }

  fileprivate var scope: String { name.scopeAndLast.scope }
  fileprivate var lastName: String { name.scopeAndLast.last }
}

extension NetconvError {
  fileprivate static func renamesNothing(_ name: String, among names: [String]) -> NetconvError {
    NetconvError(
      .usage,
      text: "\(.renames) names \(quoted(name)), which is not a weight of the checkpoint"
        + Message(text: didYouMean(path: name, among: names)))
  }

  fileprivate static func renamesLeftOut(_ name: String, _ role: CheckpointRole) -> NetconvError {
    NetconvError(
      .usage,
      text: "\(.renames) names \(quoted(name)), which is left out: it is one of the \(role.plural)")
  }
}
