import Files
import ModelIR
import ProtocolBuffers

/// An ONNX model: a graph, and the versions of its operator sets.
///
/// Source: onnx/onnx.proto, `ModelProto`.
struct ONNXModel {
  private enum Number: Int {
    case irVersion = 1
    case producerName = 2
    case producerVersion = 3
    case graph = 7
    case operatorSets = 8
    case functions = 25
  }

  private(set) var graph: ONNXGraph
  /// The functions that the file defines; the graph's nodes may call them.
  private(set) var functions: [ONNXFunction] = []
  /// The operator set versions.
  private(set) var opsets = ONNXOperatorSets()
  /// The name and version of the program that wrote the file.
  let producer: String?

  /// Parses a model; tensor data stays in the file.
  ///
  /// - Parameter external: opens external data files.
  init(_ message: WireMessage, external: ONNXExternalFiles) throws(NetconvError) {
    var graph: ONNXGraph?
    var producer = ["", ""]
    var opsets = ONNXOperatorSets()
    var functions: [ONNXFunction] = []
    try message.forEachField { field throws(NetconvError) in
      switch Number(rawValue: field.number) {
      case .producerName: producer[0] = try field.text()
      case .producerVersion: producer[1] = try field.text()
      case .graph: graph = try ONNXGraph(field.inner("GraphProto"), external)
      case .operatorSets: try opsets.add(field.inner("OperatorSetIdProto"))
      case .functions:
        functions.append(try ONNXFunction(field.inner("FunctionProto"), external))
      case .irVersion, nil: break
      }
    }
    guard let graph else { throw .noGraphInFile }
    (self.graph, self.functions, self.opsets) = (graph, functions, opsets)
    self.producer =
      producer[0].isEmpty ? nil : producer.filter { !$0.isEmpty }.joined(separator: " ")
  }
}

/// The versions of the operator sets that a model or a function uses.
///
/// Source: onnx/onnx.proto, `OperatorSetIdProto`.
struct ONNXOperatorSets {
  private enum Number: Int {
    case domain = 1
    case version = 2
  }

  private var versions: [String: Int] = [:]

  /// Adds the version of one set.
  mutating func add(_ message: WireMessage) throws(NetconvError) {
    var (domain, version) = ("", 0)
    try message.forEachField { field throws(NetconvError) in
      switch Number(rawValue: field.number) {
      case .domain: domain = try field.text()
      case .version: version = try field.integer()
      case nil: break
      }
    }
    versions[domain == "ai.onnx" ? "" : domain] = version
  }

  /// The version of a domain's set; `""` is the default domain.
  ///
  /// Files of the first versions of ONNX state none.
  func version(of domain: String) -> Int { versions[domain] ?? 1 }
}

/// An ONNX graph.
///
/// Source: onnx/onnx.proto, `GraphProto`.
struct ONNXGraph {
  private enum Number: Int {
    case node = 1
    case name = 2
    case initializer = 5
    case input = 11
    case output = 12
    case valueInfo = 13
    case sparseInitializer = 15
  }

  /// The nodes in topological order.
  var nodes: [ONNXNode] = []
  private(set) var name = ""
  /// The constants by name.
  var initializers: [(name: String, tensor: ONNXTensor)] = []
  /// The inputs of the graph; older files list constants among them.
  private(set) var inputs: [ONNXValueInfo] = []
  var outputs: [ONNXValueInfo] = []
  /// The stated types of intermediate values.
  private(set) var values: [ONNXValueInfo] = []

  init(_ message: WireMessage, _ external: ONNXExternalFiles) throws(NetconvError) {
    var (nodes, initializers): ([ONNXNode], [(name: String, tensor: ONNXTensor)]) = ([], [])
    var (inputs, outputs, values): ([ONNXValueInfo], [ONNXValueInfo], [ONNXValueInfo]) = (
      [], [], []
    )
    var name = ""
    var sparse = 0
    try message.forEachField { field throws(NetconvError) in
      switch Number(rawValue: field.number) {
      case .node: nodes.append(try ONNXNode(field.inner("NodeProto"), external))
      case .name: name = try field.text()
      case .initializer:
        let tensor = try ONNXTensor(field.inner("TensorProto"), external)
        initializers.append((tensor.name, tensor))
      case .input: inputs.append(try ONNXValueInfo(field.inner("ValueInfoProto")))
      case .output: outputs.append(try ONNXValueInfo(field.inner("ValueInfoProto")))
      case .valueInfo: values.append(try ONNXValueInfo(field.inner("ValueInfoProto")))
      case .sparseInitializer: sparse += 1
      case nil: break
      }
    }
    guard sparse == 0 else { throw .sparseInitializers(sparse) }
    (self.nodes, self.initializers, self.name) = (nodes, initializers, name)
    (self.inputs, self.outputs, self.values) = (inputs, outputs, values)
  }
}

extension ONNXGraph {
  /// Creates a graph of the nodes that another format is translated into.
  init(
    nodes: [ONNXNode], initializers: [(name: String, tensor: ONNXTensor)],
    inputs: [ONNXValueInfo], outputs: [ONNXValueInfo]
  ) {
    (self.nodes, self.initializers) = (nodes, initializers)
    (self.inputs, self.outputs) = (inputs, outputs)
  }
}

/// A node of an ONNX graph.
///
/// Source: onnx/onnx.proto, `NodeProto`.
struct ONNXNode: NamedGraphNode {
  private enum Number: Int {
    case input = 1
    case output = 2
    case name = 3
    case operation = 4
    case attribute = 5
    case domain = 7
    case overload = 8
  }

  /// The names of the inputs; `""` is an omitted optional input.
  var inputs: [String]
  /// The names of the outputs; `""` is an unused output.
  var outputs: [String]
  /// The name of the node, or else that of its first output that is used.
  var name: String
  let operation: String
  /// The domain of the operator set; `""` is the default domain.
  let domain: String
  /// The variant of the function that the node calls; usually `""`.
  let overload: String
  var attributes: [String: ONNXAttribute]
  /// The version of the operator set; set by ``ONNXGraph/expanded(_:_:)``.
  var opset = 1
  /// The reason why an operation of another format has no meaning as a node; `nil` for all others.
  var refusal: NetconvError?
  /// The outer values that the bodies of branches read; set by ``ONNXGraph/expanded(_:_:)``.
  var captured: Set<String> = []
  var dependencies: [String] { inputs + captured.sorted() }

  init(_ message: WireMessage, _ external: ONNXExternalFiles) throws(NetconvError) {
    var (inputs, outputs): ([String], [String]) = ([], [])
    var (name, operation, domain, overload) = ("", "", "", "")
    var attributes: [String: ONNXAttribute] = [:]
    try message.forEachField { field throws(NetconvError) in
      switch Number(rawValue: field.number) {
      case .input: inputs.append(try field.text())
      case .output: outputs.append(try field.text())
      case .name: name = try field.text()
      case .operation: operation = try field.text()
      case .domain: domain = try field.text()
      case .overload: overload = try field.text()
      case .attribute:
        let (key, value) = try ONNXAttribute.read(field.inner("AttributeProto"), external)
        attributes[key] = value
      case nil: break
      }
    }
    self.inputs = inputs
    self.outputs = outputs
    self.name = name.isEmpty ? outputs.first { !$0.isEmpty } ?? operation : name
    self.operation = operation
    self.domain = domain == "ai.onnx" ? "" : domain
    self.overload = overload
    self.attributes = attributes
  }
}

extension ONNXNode {
  /// The operator set of the nodes that another format is translated into.
  private static let translatedSet = 17

  /// Creates a node that another format is translated into.
  init(
    _ operation: String, name: String, inputs: [String], outputs: [String],
    attributes: [String: ONNXAttribute], refusal: NetconvError? = nil
  ) {
    (self.operation, self.name) = (operation, name)
    (self.inputs, self.outputs, self.attributes) = (inputs, outputs, attributes)
    (domain, overload, opset) = ("", "", Self.translatedSet)
    self.refusal = refusal
  }
}

/// The value of a node attribute.
///
/// Source: onnx/onnx.proto, `AttributeProto`.
enum ONNXAttribute {
  case number(Float)
  case integer(Int)
  case text(String)
  case tensor(ONNXTensor)
  case numbers([Float])
  case integers([Int])
  case texts([String])
  /// The body of a branch or loop.
  case graph(ONNXGraph)
  /// In a function, the attribute of the calling node with this name.
  case reference(String)
  /// A list of graphs, or a type.
  case other

  private enum Number: Int {
    case name = 1
    case number = 2
    case integer = 3
    case text = 4
    case tensor = 5
    case graph = 6
    case numbers = 7
    case integers = 8
    case texts = 9
    case type = 20
    case reference = 21
  }

  static func read(
    _ message: WireMessage, _ external: ONNXExternalFiles
  ) throws(NetconvError) -> (String, ONNXAttribute) {
    var (name, reference) = ("", "")
    var type: Int?
    var value = ONNXAttribute.other
    var (numbers, integers, texts): ([Float], [Int], [String]) = ([], [], [])
    try message.forEachField { field throws(NetconvError) in
      switch Number(rawValue: field.number) {
      case .name: name = try field.text()
      case .number: value = .number(try field.float())
      case .integer: value = .integer(try field.integer())
      case .text: value = .text(String(decoding: try field.bytes(), as: UTF8.self))
      case .tensor: value = .tensor(try ONNXTensor(field.inner("TensorProto"), external))
      case .numbers: try field.forEachFloat { numbers.append($0) }
      case .integers: try field.forEachInteger { integers.append($0) }
      case .texts: texts.append(String(decoding: try field.bytes(), as: UTF8.self))
      case .type: type = try field.integer()
      case .graph: value = .graph(try ONNXGraph(field.inner("GraphProto"), external))
      case .reference: reference = try field.text()
      case nil: break
      }
    }
    if !reference.isEmpty { return (name, .reference(reference)) }
    // Only the type identifies an empty list, and writers may omit a value of 0.
    switch type {
    case 1: if case .number = value {} else { value = .number(0) }
    case 2: if case .integer = value {} else { value = .integer(0) }
    case 3: if case .text = value {} else { value = .text("") }
    case 6: value = .numbers(numbers)
    case 7: value = .integers(integers)
    case 8: value = .texts(texts)
    default:
      if !numbers.isEmpty { value = .numbers(numbers) }
      if !integers.isEmpty { value = .integers(integers) }
      if !texts.isEmpty { value = .texts(texts) }
    }
    return (name, value)
  }
}

/// The name and type of a value.
///
/// Source: onnx/onnx.proto, `ValueInfoProto`, `TypeProto` and `TensorShapeProto`.
struct ONNXValueInfo {
  private enum Number: Int {
    case name = 1
    case type = 2
  }

  private enum TypeNumber: Int {
    case tensor = 1
  }

  private enum TensorNumber: Int {
    case element = 1
    case shape = 2
  }

  private enum DimensionNumber: Int {
    case size = 1
    case symbol = 2
  }

  var name = ""
  private(set) var type = ONNXType(rawValue: 0)
  /// The shape, with `nil` for an open size; `nil` if even the rank is not stated.
  private(set) var dimensions: [Int?]?

  init(_ message: WireMessage) throws(NetconvError) {
    var info = (name: "", type: ONNXType(rawValue: 0), dimensions: [Int?]?.none)
    try message.forEachField { field throws(NetconvError) in
      switch Number(rawValue: field.number) {
      case .name: info.name = try field.text()
      case .type:
        try field.inner("TypeProto").forEachField { field throws(NetconvError) in
          guard TypeNumber(rawValue: field.number) == .tensor else { return }
          try field.inner("TypeProto.Tensor").forEachField { field throws(NetconvError) in
            switch TensorNumber(rawValue: field.number) {
            case .element: info.type = ONNXType(rawValue: try field.integer())
            case .shape: info.dimensions = try Self.dimensions(field.inner("TensorShapeProto"))
            case nil: break
            }
          }
        }
      case nil: break
      }
    }
    (name, type, dimensions) = info
  }

  /// Creates the description of a value of another format.
  init(_ name: String, _ type: ONNXType, _ dimensions: [Int?]?) {
    (self.name, self.type, self.dimensions) = (name, type, dimensions)
  }

  private static func dimensions(_ message: WireMessage) throws(NetconvError) -> [Int?] {
    var dimensions: [Int?] = []
    try message.forEachField { field throws(NetconvError) in
      guard field.number == 1 else { return }
      var size: Int?
      try field.inner("TensorShapeProto.Dimension").forEachField { field throws(NetconvError) in
        if DimensionNumber(rawValue: field.number) == .size { size = try field.integer() }
      }
      // Old exporters wrote 0 or -1 for an open size.
      dimensions.append(size.flatMap { $0 > 0 ? $0 : nil })
    }
    return dimensions
  }
}

extension NetconvError {
  fileprivate static func sparseInitializers(_ count: Int) -> NetconvError {
    NetconvError(
      .badData,
      "\(count) \(count == 1 ? "initializer is" : "initializers are") sparse, which is not read; export it dense"
    )
  }
}
