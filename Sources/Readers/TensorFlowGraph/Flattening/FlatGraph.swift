import ModelIR

/// A graph with its function calls inlined: the nodes that some outputs need, in topological order.
struct FlatGraph {
  /// An output of a node.
  struct Reference: Hashable {
    let node: Int
    let output: Int
  }

  /// A node of the graph or of an inlined function.
  struct Node {
    /// A unique name; in a function, it has the name of the calling node as its prefix.
    let name: String
    let operation: String
    var inputs: [Reference] = []
    let attributes: [String: GraphAttribute]
  }

  /// The nodes in topological order.
  fileprivate(set) var nodes: [Node] = []
  /// The requested outputs.
  fileprivate(set) var outputs: [Reference] = []
  /// Fed flags that were assumed to be false to resolve a conditional.
  fileprivate(set) var assumedFlags: [String] = []
}

/// Inlines function calls and resolved conditionals, starting from the outputs.
///
/// Control edges carry no values and are not followed.
struct GraphFlattening {
  /// The graph itself, or a call of a function by a node.
  private struct Frame {
    let function: GraphFunction?
    /// The prefix of the names of its nodes.
    let prefix: String
    /// The node that calls it, and the frame of that node.
    let call: (node: GraphNode, frame: Int)?
    let depth: Int
  }

  private struct FramedName: Hashable {
    let frame: Int
    let name: String
  }

  private static let loopOperations: Set = ["Enter", "Exit", "LoopCond", "NextIteration"]
  /// The largest count of nodes after inlining; no network has more.
  private static let nodeLimit = 1 << 21
  /// The largest depth of nested calls.
  private static let depthLimit = 64

  private let graph: GraphDefinition
  private let flags: GraphFlags
  private var frames: [Frame]
  private var calls: [FramedName: Int] = [:]
  private var found: [FramedName: Int] = [:]
  private var nodes: [FlatGraph.Node] = []
  private var places: [FramedName] = []

  init(_ graph: GraphDefinition) throws(NetconvError) {
    self.graph = graph
    try graph.checkReferences()
    flags = try GraphFlags(graph)
    frames = [Frame(function: nil, prefix: "", call: nil, depth: 0)]
  }

  /// Returns the nodes that `outputs` need; the search stops at `inputs`.
  ///
  /// - Throws: `badData` if a node reads one that does not exist, the graph has a cycle, or functions are called
  ///   recursively.
  mutating func flattened(
    _ outputs: [String], stoppingAt inputs: Set<String>
  ) throws(NetconvError) -> FlatGraph {
    var flat = FlatGraph()
    flat.assumedFlags = flags.assumed
    for output in outputs { flat.outputs.append(try resolve(path: output)) }
    var next = 0
    while next < nodes.count {
      let place = places[next]
      let isInput = inputs.contains(nodes[next].name)
      if !isInput, let node = body(of: place.frame)[place.name] {
        do throws(NetconvError) {
          var references: [FlatGraph.Reference] = []
          for input in node.inputs { references.append(try resolve(input, place.frame)) }
          nodes[next].inputs = references
        } catch {
          throw error.inLayer(nodes[next].name)
        }
      }
      next += 1
    }
    return try ordered(flat)
  }

  private func body(of frame: Int) -> GraphNodes { frames[frame].function?.nodes ?? graph.nodes }

  /// Resolves the output of a node that a user names; in a function, its path starts with the calling nodes.
  private mutating func resolve(
    path: String
  ) throws(NetconvError) -> FlatGraph.Reference {
    var frame = 0
    var rest = path[...]
    while body(of: frame)[TensorName(String(rest)).node] == nil,
      let (call, function) = graph.call(in: body(of: frame), before: rest)
    {
      frame = try self.frame(of: call, function, in: frame)
      rest = rest.dropFirst(call.name.count + 1)
    }
    return try resolve(String(rest), frame)
  }

  /// Resolves a tensor name in a frame to the output of a node that is not a call.
  private mutating func resolve(
    _ text: String, _ frame: Int
  ) throws(NetconvError) -> FlatGraph.Reference {
    var text = text
    var frame = frame
    for _ in 0..<Self.nodeLimit {
      let reference = TensorName(text)
      if let function = frames[frame].function, let call = frames[frame].call,
        let argument = function.arguments.firstIndex(of: reference.node)
      {
        guard argument < call.node.inputs.count else {
          throw .missingArgument(reference.node, of: function.name)
        }
        (text, frame) = (call.node.inputs[argument], call.frame)
        continue
      }
      guard let node = body(of: frame)[reference.node] else { throw .missingNode(reference.node) }
      let output = reference.output(of: node)
      if frame == 0, let live = flags.liveInput(of: node) {
        guard output == 0 else { throw .branchNumber(node.name) }
        text = live
        continue
      }
      guard let callee = callee(of: node, in: frame) else {
        return FlatGraph.Reference(node: try index(of: node, in: frame), output: output)
      }
      guard callee.results.indices.contains(output),
        let result = callee.returns[callee.results[output]]
      else { throw .missingResult(output, of: callee.name) }
      frame = try self.frame(of: node, callee, in: frame)
      text = result
    }
    throw .tooManyNodes(limit: Self.nodeLimit)
  }

  /// The function that a node calls, if any.
  private func callee(of node: GraphNode, in frame: Int) -> GraphFunction? {
    switch node.operation {
    case "PartitionedCall", "StatefulPartitionedCall":
      guard case .function(let name) = node.attributes["f"] else { return nil }
      return graph.functions[name]
    case "If", "StatelessIf":
      guard let condition = node.inputs.first, let flag = flag(condition, in: frame),
        case .function(let name) = node.attributes[flag ? "then_branch" : "else_branch"]
      else { return nil }
      return graph.functions[name]
    default: return graph.functions[node.operation]
    }
  }

  /// The value of a flag that a node of a frame reads; `nil` if it is not resolved.
  private func flag(_ tensor: String, in frame: Int) -> Bool? {
    var (tensor, frame, isNegated) = (tensor, frame, false)
    for _ in 0..<GraphFlags.stepLimit where frame > 0 {
      let name = TensorName(tensor).node
      if let function = frames[frame].function, let call = frames[frame].call,
        let argument = function.arguments.firstIndex(of: name)
      {
        guard argument < call.node.inputs.count else { return nil }
        (tensor, frame) = (call.node.inputs[argument], call.frame)
        continue
      }
      guard let node = body(of: frame)[name] else { return nil }
      switch GraphFlags.origin(of: node) {
      case .flag(let origin, let negates):
        tensor = origin
        if negates { isNegated.toggle() }
      case .value(let value): return value != isNegated
      case nil: return nil
      }
    }
    return frame == 0 ? flags.value(of: tensor).map { $0 != isNegated } : nil
  }

  private mutating func frame(
    of node: GraphNode, _ function: GraphFunction, in frame: Int
  ) throws(NetconvError) -> Int {
    let place = FramedName(frame: frame, name: node.name)
    if let known = calls[place] { return known }
    let depth = frames[frame].depth + 1
    guard depth <= Self.depthLimit else { throw .deepCalls(function.name, limit: Self.depthLimit) }
    var call = node
    if node.operation.hasSuffix("If") { call = node.withoutCondition }
    frames.append(
      Frame(
        function: function, prefix: frames[frame].prefix + node.name + "/", call: (call, frame),
        depth: depth))
    calls[place] = frames.count - 1
    return frames.count - 1
  }

  private mutating func index(of node: GraphNode, in frame: Int) throws(NetconvError) -> Int {
    let place = FramedName(frame: frame, name: node.name)
    if let known = found[place] { return known }
    guard nodes.count < Self.nodeLimit else { throw .tooManyNodes(limit: Self.nodeLimit) }
    nodes.append(
      FlatGraph.Node(
        name: frames[frame].prefix + node.name, operation: node.operation,
        attributes: node.attributes))
    places.append(place)
    found[place] = nodes.count - 1
    return nodes.count - 1
  }

  /// Sorts the nodes in topological order.
  private func ordered(_ flat: FlatGraph) throws(NetconvError) -> FlatGraph {
    var flat = flat
    var waiting = nodes.map { Set($0.inputs.map(\.node)).count }
    let readers = ValueReaders(of: nodes.map { $0.inputs.map(\.node) })
    var ready = nodes.indices.filter { waiting[$0] == 0 }.reversed().map { $0 }
    var places = [Int](repeating: -1, count: nodes.count)
    while let index = ready.popLast() {
      places[index] = flat.nodes.count
      flat.nodes.append(nodes[index])
      for reader in readers[index] {
        waiting[reader] -= 1
        if waiting[reader] == 0 { ready.append(reader) }
      }
    }
    guard flat.nodes.count == nodes.count else {
      let stuck = nodes.indices.filter { waiting[$0] > 0 }
      let loops = stuck.filter { Self.loopOperations.contains(nodes[$0].operation) }
      throw .circleOfNodes((loops.isEmpty ? stuck : loops).map { nodes[$0].name })
    }
    for index in flat.nodes.indices {
      flat.nodes[index].inputs = flat.nodes[index].inputs.map {
        FlatGraph.Reference(node: places[$0.node], output: $0.output)
      }
    }
    flat.outputs = flat.outputs.map {
      FlatGraph.Reference(node: places[$0.node], output: $0.output)
    }
    return flat
  }
}

extension GraphNode {
  /// An `If` as a call of one of its branches, without the condition among its inputs.
  fileprivate var withoutCondition: GraphNode {
    GraphNode(
      name: name, operation: operation, inputs: Array(inputs.dropFirst()), controls: controls,
      attributes: attributes)
  }
}

extension NetconvError {
  fileprivate static func missingArgument(_ name: String, of function: String) -> NetconvError {
    NetconvError(
      .badData, "the call of \(quoted(function)) gives nothing for its argument \(quoted(name))")
  }

  fileprivate static func missingResult(_ index: Int, of function: String) -> NetconvError {
    NetconvError(.badData, "reads result \(index) of \(quoted(function)), which gives no such")
  }

  fileprivate static func branchNumber(_ merge: String) -> NetconvError {
    NetconvError(.badData, "reads which branch was taken from \(quoted(merge)), which is not read")
  }

  fileprivate static func tooManyNodes(limit: Int) -> NetconvError {
    NetconvError(
      .badData, "the graph has more than \(limit) nodes with its functions spelled out")
  }

  fileprivate static func deepCalls(_ function: String, limit: Int) -> NetconvError {
    NetconvError(
      .badData,
      "functions call each other more than \(limit) deep, the last of them \(quoted(function))")
  }
}
