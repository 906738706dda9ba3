import Documents
import Files
import ModelIR
import Operators

/// A graph without parameters, as `model.json` or a Keras architecture describes it.
struct GraphDescription: Sendable {
  /// The properties that a description states for a parameter, besides its role.
  struct Stated: Sendable {
    /// The name of the tensor.
    let tensor: String?
    /// The shape of the tensor.
    let shape: [Int]?
    /// The layout of the tensor.
    let layout: Layout?
    /// The axes along which the values are stored in reverse order.
    let reversed: Set<Axis>
  }

  /// The name of the network.
  let name: String
  let inputs: [ModelInput]
  let outputs: [String]
  /// The layers, without parameters.
  let definitions: [LayerDefinition]
  /// The stated properties of parameters.
  let stated: [TensorKey: Stated]
  /// The parameters of each layer, if the description states them; other layers use the tensors that are found.
  let roles: [String: Set<ParameterRole>]
  /// The file that contains the description.
  let file: RandomAccessFile?
  /// The graph with zeros as parameters.
  let planned: Model

  /// Reads the graph at a path: `model.json`, a Keras architecture, or any source that netconv reads as a model.
  ///
  /// - Throws: `cannotOpen`; `badData` if the file describes no graph.
  init(path: String, replacing replacements: LayerReplacements) throws(NetconvError) {
    guard !Directory.isDirectory(path) else {
      try self.init(ReaderRegistry.read(path).model, file: nil)
      return
    }
    let file = try KerasConfigFile.open(path)
    do throws(NetconvError) {
      if let document = try Self.document(in: file) {
        try self.init(document: document, file: file)
        return
      }
      if case .success(let config) = try KerasConfigFile.config(in: file) {
        let architecture = try KerasArchitecture(config, file: path)
        try self.init(KerasGraph(architecture, replacing: replacements), file: file)
        return
      }
    } catch {
      throw error.inFile(path)
    }
    try self.init(ReaderRegistry.read(path).model, file: file)
  }

  /// Returns true if a path contains a Keras architecture rather than netconv's `model.json`.
  static func isOfKeras(_ path: String) -> Bool {
    guard !Directory.isDirectory(path) else { return false }
    // A missing file only matters if the source has no graph of its own.
    guard let file = try? KerasConfigFile.open(path) else { return true }
    // The Keras reader reports files that are not an architecture.
    return (try? document(in: file)) == nil
  }

  /// Returns the JSON object of a file if its format is `model.json`.
  private static func document(in file: RandomAccessFile) throws(NetconvError) -> JSONValue? {
    guard try file.prefix(256).first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "{")
    else { return nil }
    let value = try JSONDocument.parse(file.contents(limit: JSONDocument.sizeLimit))
    return value["format"]?.string == ModelDocument.format ? value : nil
  }

  private init(
    name: String, inputs: [ModelInput], outputs: [String], definitions: [LayerDefinition],
    stated: [TensorKey: Stated] = [:], roles: [String: Set<ParameterRole>], file: RandomAccessFile?
  ) throws(NetconvError) {
    self.name = name
    self.inputs = inputs
    self.outputs = outputs
    self.definitions = definitions
    self.stated = stated
    self.roles = roles
    self.file = file
    planned = try Model(planning: name, inputs: inputs, layers: definitions, outputs: outputs)
    for (layer, roles) in roles.sorted(by: { $0.key < $1.key }) {
      let known = planned.layer(named: layer)?.parameters.map(\.spec) ?? []
      for role in roles where !known.contains(where: { $0.role == role }) {
        throw NetconvError.unknownDescribedRole(role, known: known.map(\.role)).inLayer(layer)
      }
    }
  }

  /// Creates a description from the graph of a model, without its parameters.
  private init(_ model: Model, file: RandomAccessFile?) throws(NetconvError) {
    try self.init(
      name: model.name, inputs: model.inputs, outputs: model.outputs,
      definitions: model.definitions.map(\.withoutParameters),
      roles: Dictionary(
        model.layers.map {
          ($0.parameters.first?.layer ?? $0.name, Set($0.parameters.map(\.spec.role)))
        },
        uniquingKeysWith: { first, _ in first }),
      file: file)
  }

  /// Creates a description from a Keras architecture, which states the weights of each layer.
  private init(_ graph: KerasGraph, file: RandomAccessFile) throws(NetconvError) {
    var roles: [String: Set<ParameterRole>] = [:]
    var definitions: [LayerDefinition] = []
    for step in graph.steps {
      definitions.append(
        LayerDefinition(
          name: step.name, operation: step.operation, inputs: step.inputs,
          furtherOutputs: step.furtherOutputs, parameterOwner: step.node?.owner,
          origin: step.node.map { LayerOrigin(className: $0.layer.statedClass) }))
      if let node = step.node { roles[node.owner] = graph.layers.roles(of: node) }
    }
    try self.init(
      name: graph.architecture.name, inputs: graph.architecture.inputs, outputs: graph.outputs,
      definitions: definitions, roles: roles, file: file)
  }

  /// Creates a description from a `model.json` whose parameters need no files.
  private init(document: JSONValue, file: RandomAccessFile) throws(NetconvError) {
    let open = document.places(of: .string(GraphScaffold.question))
    guard open.isEmpty else { throw .openQuestions(open.map { String($0.drop { $0 == "." }) }) }
    let graph = try GraphDocument(document)
    let model = try Model.definitions(of: graph.model) { _ throws(NetconvError) in [:] }
    var stated: [TensorKey: Stated] = [:]
    var roles: [String: Set<ParameterRole>] = [:]
    for (layer, parameters) in zip(graph.model.layers, graph.parameters)
    where !parameters.isEmpty {
      roles[layer.name] = Set(parameters.map { ParameterRole(rawValue: $0.role) })
      for parameter in parameters {
        do {
          let key = TensorKey(layer: layer.name, role: ParameterRole(rawValue: parameter.role))
          stated[key] = try parameter.stated
        } catch {
          throw error.inTensor(parameter.role).inLayer(layer.name)
        }
      }
    }
    try self.init(
      name: graph.model.name, inputs: graph.model.inputs.map(\.input),
      outputs: graph.model.outputs, definitions: model, stated: stated, roles: roles, file: file)
  }
}

extension GraphDocument.Parameter {
  /// The stated properties for other weights; a name and a layout next to a file describe that file.
  fileprivate var stated: GraphDescription.Stated? {
    get throws(NetconvError) {
      guard case .described(let parameter) = self else { return nil }
      var known: Layout?
      var axes: Set<Axis> = []
      if let layout = parameter.layout {
        guard let parsed = Layout(layout) else { throw .unknownLayout(layout) }
        known = parsed
        for name in parameter.reversed ?? [] {
          guard let axis = parsed.axes.first(where: { $0.description == name }) else {
            throw .unknownReversedAxis(name, layout: parsed)
          }
          axes.insert(axis)
        }
      }
      return GraphDescription.Stated(
        tensor: parameter.tensor, shape: parameter.shape, layout: known, reversed: axes)
    }
  }
}

extension JSONValue {
  /// Returns the paths of a value within this one, such as `layers[3].attributes.strides`.
  fileprivate func places(of value: JSONValue) -> [String] {
    switch self {
    case value: [""]
    case .array(let elements):
      elements.enumerated().flatMap { index, element in
        element.places(of: value).map { "[\(index)]" + $0 }
      }
    case .object(let members):
      members.sorted { $0.key < $1.key }.flatMap { key, member in
        key == GraphScaffold.notesKey
          ? [] : member.places(of: value).map { ".\(key)" + $0 }
      }
    default: []
    }
  }
}

extension LayerDefinition {
  fileprivate var withoutParameters: LayerDefinition {
    var definition = self
    definition.parameters = [:]
    return definition
  }
}

extension NetconvError {
  fileprivate static func openQuestions(_ keys: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "\(keys.count) question\(keys.count == 1 ? " is" : "s are") open: replace \"?\" with a value at "
        + SourceNote.list(keys))
  }

  fileprivate static func unknownDescribedRole(
    _ role: ParameterRole, known: [ParameterRole]
  ) -> NetconvError {
    NetconvError(
      .badData,
      "has no parameter \(quoted(role.rawValue)); it has \(SourceNote.list(known.map(\.rawValue)))"
        + didYouMean(role.rawValue, among: known.map(\.rawValue)))
  }
}
