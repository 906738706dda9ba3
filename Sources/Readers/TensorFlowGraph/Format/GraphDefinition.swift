import ModelIR
import ProtocolBuffers

/// A function of a graph's library.
///
/// Source: tensorflow/core/framework/function.proto and op_def.proto.
struct GraphFunction {
  let name: String
  /// The names of the arguments.
  let arguments: [String]
  /// The names of the results, in order.
  let results: [String]
  /// The tensor that each result refers to: an output of a node of the body, or an argument.
  let returns: [String: String]
  let nodes: GraphNodes

  private enum Number: Int {
    case signature = 1
    case node = 3
    case returned = 4
  }

  private enum SignatureNumber: Int {
    case name = 1
    case input = 2
    case output = 3
  }

  init(_ message: WireMessage) throws(NetconvError) {
    var name = ""
    var arguments: [String] = []
    var results: [String] = []
    var returns: [String: String] = [:]
    var nodes = GraphNodes()
    try message.forEachField { field throws(NetconvError) in
      switch Number(rawValue: field.number) {
      case .signature:
        try field.inner("OpDef").forEachField { field throws(NetconvError) in
          switch SignatureNumber(rawValue: field.number) {
          case .name: name = try field.text()
          case .input: arguments.append(try Self.argumentName(field))
          case .output: results.append(try Self.argumentName(field))
          case nil: break
          }
        }
      case .node: try nodes.add(GraphNode(field.inner("NodeDef")))
      case .returned:
        var (key, value) = ("", "")
        try field.inner("FunctionDef.RetEntry").forEachField { field throws(NetconvError) in
          if field.number == 1 { key = try field.text() }
          if field.number == 2 { value = try field.text() }
        }
        returns[key] = value
      case nil: break
      }
    }
    self.name = name
    self.arguments = arguments
    self.results = results
    self.returns = returns
    self.nodes = nodes
  }

  private static func argumentName(_ field: WireField) throws(NetconvError) -> String {
    var name = ""
    try field.inner("OpDef.ArgDef").forEachField { field throws(NetconvError) in
      if field.number == 1 { name = try field.text() }
    }
    return name
  }
}

/// Nodes in file order, with access by name.
struct GraphNodes {
  private(set) var all: [GraphNode] = []
  private var byName: [String: Int] = [:]

  /// Appends a node.
  ///
  /// - Throws: `badData` if the name is not unique.
  mutating func add(_ node: GraphNode) throws(NetconvError) {
    guard byName.updateValue(all.count, forKey: node.name) == nil else {
      throw .repeatedNode(node.name)
    }
    all.append(node)
  }

  subscript(name: String) -> GraphNode? { byName[name].map { all[$0] } }

  /// The nodes, with an empty placeholder shape replaced by an unknown one.
  fileprivate var withoutEmptyShapes: GraphNodes {
    var nodes = self
    nodes.all = all.map { node in
      guard node.operation == "Placeholder", case .shape(let shape) = node.attributes["shape"],
        shape.dimensions?.isEmpty ?? false
      else { return node }
      return node.stating(GraphShape(nil))
    }
    return nodes
  }

  /// Sets the stated shape of a node.
  mutating func state(_ shape: GraphShape, of name: String) {
    if let index = byName[name] { all[index] = all[index].stating(shape) }
  }
}

/// A graph and its function library.
///
/// Source: tensorflow/core/framework/graph.proto.
struct GraphDefinition {
  var nodes = GraphNodes()
  private(set) var functions: [String: GraphFunction] = [:]

  private enum Number: Int {
    case node = 1
    case library = 2
    case versions = 4
  }

  private enum VersionsNumber: Int {
    case producer = 1
  }

  /// The first version in which a placeholder of rank 0 is a scalar; before it, such a shape meant an unknown one.
  ///
  /// Source: tensorflow/core/ops/array_ops.cc, `Placeholder`.
  private static let statesScalars = 24

  private enum LibraryNumber: Int {
    case function = 1
  }

  init(_ message: WireMessage) throws(NetconvError) {
    var nodes = GraphNodes()
    var functions: [String: GraphFunction] = [:]
    var producer = 0
    try message.forEachField { field throws(NetconvError) in
      switch Number(rawValue: field.number) {
      case .node: try nodes.add(GraphNode(field.inner("NodeDef")))
      case .library:
        try field.inner("FunctionDefLibrary").forEachField { field throws(NetconvError) in
          guard LibraryNumber(rawValue: field.number) == .function else { return }
          let function = try GraphFunction(field.inner("FunctionDef"))
          functions[function.name] = function
        }
      case .versions:
        try field.inner("VersionDef").forEachField { field throws(NetconvError) in
          if VersionsNumber(rawValue: field.number) == .producer {
            producer = try field.integer()
          }
        }
      case nil: break
      }
    }
    self.nodes = producer < Self.statesScalars ? nodes.withoutEmptyShapes : nodes
    self.functions = functions
  }
}

extension NetconvError {
  fileprivate static func repeatedNode(_ name: String) -> NetconvError {
    NetconvError(.badData, "two nodes are called \(quoted(name))")
  }
}
