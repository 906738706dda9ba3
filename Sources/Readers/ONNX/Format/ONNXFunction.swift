import ModelIR
import ProtocolBuffers

/// An operation that the file defines by nodes.
///
/// Source: onnx/onnx.proto, `FunctionProto`.
struct ONNXFunction {
  private enum Number: Int {
    case name = 1
    case input = 4
    case output = 5
    case node = 7
    case operatorSets = 9
    case domain = 10
    case defaults = 11
    case overload = 13
  }

  fileprivate let key: ONNXNode.Callee
  private let inputs: [String]
  private let outputs: [String]
  private let nodes: [ONNXNode]
  /// The values of attributes that a call does not set.
  private let defaults: [String: ONNXAttribute]
  /// The operator sets of its nodes, which may differ from those of the model.
  fileprivate let opsets: ONNXOperatorSets

  init(_ message: WireMessage, _ external: ONNXExternalFiles) throws(NetconvError) {
    var (name, domain, overload) = ("", "", "")
    var (inputs, outputs, nodes): ([String], [String], [ONNXNode]) = ([], [], [])
    var defaults: [String: ONNXAttribute] = [:]
    var opsets = ONNXOperatorSets()
    try message.forEachField { field throws(NetconvError) in
      switch Number(rawValue: field.number) {
      case .name: name = try field.text()
      case .input: inputs.append(try field.text())
      case .output: outputs.append(try field.text())
      case .node: nodes.append(try ONNXNode(field.inner("NodeProto"), external))
      case .operatorSets: try opsets.add(field.inner("OperatorSetIdProto"))
      case .domain: domain = try field.text()
      case .defaults:
        let (key, value) = try ONNXAttribute.read(field.inner("AttributeProto"), external)
        defaults[key] = value
      case .overload: overload = try field.text()
      case nil: break
      }
    }
    key = ONNXNode.Callee(domain: domain, operation: name, overload: overload)
    (self.inputs, self.outputs, self.nodes) = (inputs, outputs, nodes)
    (self.defaults, self.opsets) = (defaults, opsets)
  }

  /// The nodes of the function with the operands and attributes of a call.
  ///
  /// - Parameter number: a number that no other call has.
  /// - Throws: `badData` if the call has more operands or results than the function.
  fileprivate func nodes(
    calledBy call: ONNXNode, _ number: Int
  ) throws(NetconvError) -> [ONNXNode] {
    guard call.inputs.count <= inputs.count, call.outputs.count <= outputs.count else {
      throw NetconvError.wrongCall(inputs.count, outputs.count).inNode(call.name, call.operation)
    }
    var names: [String: String] = [:]
    for (index, name) in inputs.enumerated() {
      names[name] = index < call.inputs.count ? call.inputs[index] : ""
    }
    for (name, result) in zip(outputs, call.outputs) where !result.isEmpty {
      names[name, default: result] = result
    }
    let scope = call.scope(number)
    return nodes.map { node in
      node.renamed { names[$0] ?? "\(scope)/\($0)" }
        .resolved { call.attributes[$0] ?? defaults[$0] }
        .inside(call)
    }
  }
}

extension ONNXNode {
  /// The identity of an operation: a node calls the function that has the same.
  fileprivate struct Callee: Hashable {
    let domain: String
    let operation: String
    let overload: String

    init(domain: String, operation: String, overload: String) {
      self.domain = domain == "ai.onnx" ? "" : domain
      self.operation = operation
      self.overload = overload
    }
  }

  fileprivate var callee: Callee {
    Callee(domain: domain, operation: operation, overload: overload)
  }

  /// The scope of the values inside of the node, in which names of values are unique.
  ///
  /// - Parameter number: a number that no other node has.
  func scope(_ number: Int) -> String {
    guard let name = outputs.first(where: { !$0.isEmpty }), name.utf8.count <= Self.longestScope
    else { return "\(operation) \(number)" }
    return name
  }

  /// Names grow with each call inside of another; longer scopes are left out.
  private static let longestScope = 200

  /// The node called after the one that it is inside of, too.
  func inside(_ outer: ONNXNode) -> ONNXNode {
    guard outer.name.utf8.count <= Self.longestScope else { return self }
    var node = self
    node.name = "\(outer.name)/\(name)"
    return node
  }

  /// The node with other names of values; those of omitted ones stay empty.
  fileprivate func renamed(_ rename: (String) -> String) -> ONNXNode {
    var node = self
    node.inputs = inputs.map { $0.isEmpty ? "" : rename($0) }
    node.outputs = outputs.map { $0.isEmpty ? "" : rename($0) }
    for case (let key, .graph(let body)) in attributes {
      node.attributes[key] = .graph(body.renamed(rename))
    }
    return node
  }

  /// The node with the values of attributes that it refers to; without those that have no value.
  fileprivate func resolved(_ value: (String) -> ONNXAttribute?) -> ONNXNode {
    var node = self
    for (key, attribute) in attributes {
      switch attribute {
      case .reference(let name): node.attributes[key] = value(name)
      case .graph(var body):
        body.nodes = body.nodes.map { $0.resolved(value) }
        node.attributes[key] = .graph(body)
      default: break
      }
    }
    return node
  }
}

extension ONNXGraph {
  /// The graph with other names of values.
  fileprivate func renamed(_ rename: (String) -> String) -> ONNXGraph {
    var graph = self
    graph.nodes = nodes.map { $0.renamed(rename) }
    graph.initializers = initializers.map { (rename($0.name), $0.tensor) }
    graph.outputs = outputs.map { output in
      var output = output
      output.name = rename(output.name)
      return output
    }
    return graph
  }

  /// The graph with names of its own values that are unique, under a scope; names of outer values stay.
  func scoped(by scope: String) -> ONNXGraph {
    let own = definedNames
    return renamed { own.contains($0) ? "\(scope)/\($0)" : $0 }
  }

  private var definedNames: Set<String> {
    Set(nodes.flatMap(\.outputs) + initializers.map(\.name) + inputs.map(\.name))
  }

  /// The names of outer values that the graph reads.
  fileprivate var captured: Set<String> {
    Set(nodes.flatMap(\.dependencies) + outputs.map(\.name)).subtracting(definedNames)
  }

  /// The graph with calls of functions replaced by their nodes, and each node with its operator set.
  ///
  /// - Throws: `badData` if a function calls itself, or there are too many nodes.
  func expanded(
    _ functions: [ONNXFunction], _ opsets: ONNXOperatorSets
  ) throws(NetconvError) -> ONNXGraph {
    var expansion = ONNXExpansion(
      functions: Dictionary(functions.map { ($0.key, $0) }) { first, _ in first })
    var graph = self
    graph.nodes = try expansion.expanded(nodes, opsets, calls: [])
    return graph
  }
}

/// The replacement of calls by the nodes of functions.
private struct ONNXExpansion {
  /// The largest number of nodes and initializers after the expansion.
  private static let limit = 1 << 20
  /// The largest number of calls inside of each other.
  private static let depth = 64
  let functions: [ONNXNode.Callee: ONNXFunction]
  private var count = 0

  init(functions: [ONNXNode.Callee: ONNXFunction]) { self.functions = functions }

  mutating func expanded(
    _ nodes: [ONNXNode], _ opsets: ONNXOperatorSets, calls: [ONNXNode.Callee]
  ) throws(NetconvError) -> [ONNXNode] {
    var result: [ONNXNode] = []
    for var node in nodes {
      try add(1)
      node.opset = opsets.version(of: node.domain)
      for case (let key, .graph(var body)) in node.attributes {
        try add(body.initializers.count)
        body.nodes = try expanded(body.nodes, opsets, calls: calls)
        node.captured.formUnion(body.captured)
        node.attributes[key] = .graph(body)
      }
      guard let function = functions[node.callee] else {
        result.append(node)
        continue
      }
      guard !calls.contains(function.key), calls.count < Self.depth else {
        throw NetconvError.callsItself(depth: Self.depth).inNode(node.name, node.operation)
      }
      result += try expanded(
        function.nodes(calledBy: node, count), function.opsets, calls: calls + [function.key])
    }
    return result
  }

  private mutating func add(_ number: Int) throws(NetconvError) {
    count += number
    guard count <= Self.limit else { throw .tooManyNodes(limit: Self.limit) }
  }
}

extension NetconvError {
  fileprivate static func callsItself(depth: Int) -> NetconvError {
    NetconvError(
      .badData, "the function calls itself, or calls are nested more than \(depth) deep")
  }

  fileprivate static func wrongCall(_ inputs: Int, _ outputs: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the node has more operands or results than the function that it calls, which has \(inputs) "
        + "and \(outputs)")
  }

  fileprivate static func tooManyNodes(limit: Int) -> NetconvError {
    NetconvError(
      .badData, "with its functions in place of their calls, the graph has more than \(limit) nodes"
    )
  }
}
