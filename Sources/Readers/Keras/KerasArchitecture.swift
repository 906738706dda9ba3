import Documents
import ModelIR

/// The graph of a Keras model, as its configuration has it, in one form for all versions.
///
/// Models that serve as layers are spelled out: their layers are called `model/layer`.
struct KerasArchitecture: Sendable {
  /// One call of a layer.
  struct Node: Sendable {
    /// The layer that is called.
    let layer: KerasLayerConfig
    /// The models that the layer lies in, outermost first, and the layer itself, by name.
    let path: [String]
    /// Where the layer stands in its model, for people: `layer 3 of 8`.
    let place: String
    /// Unique in the model: the path, with the number of each call after the first.
    let name: String
    /// The nodes or inputs that it reads.
    let inputs: [String]

    /// The node's name if every call were the first: what owns the weights.
    var owner: String { path.joined(separator: "/") }
  }

  /// What the configuration calls the model.
  let name: String
  /// In the order in which arrays are fed.
  let inputs: [ModelInput]
  /// The calls, in the order of the configuration.
  let nodes: [Node]
  /// Names of nodes.
  let outputs: [String]
  /// The model that the graph was spelled out from.
  let root: KerasModelConfig
  /// The first number of the version of Keras that wrote the model.
  let kerasVersion: Int

  /// Reads the value of `model_config`, or what `model.to_json()` gives.
  ///
  /// - Parameter version: of the Keras that wrote the file, where the configuration itself does not say.
  /// - Throws: `badData` if it is neither a Sequential nor a Functional model.
  init(_ config: JSONValue, version: String? = nil) throws(NetconvError) {
    let model = try KerasModelConfig(config, place: "model_config")
    root = model
    inputs = model.inputs
    let scope = KerasScope(model, path: [], name: "", bindings: [:])
    outputs = try scope.outputs()
    nodes = try scope.nodes()
    name = model.name
    let written = config["keras_version"]?.string ?? version ?? ""
    kerasVersion = Int(written.prefix { $0 != "." }) ?? 2
  }
}

/// A model at one place of the graph: the top, or one call of a model that serves as a layer.
private final class KerasScope {
  private let model: KerasModelConfig
  private let path: [String]
  private let name: String
  /// What stands for the model's inputs; empty at the top, where they stand for themselves.
  private let bindings: [String: String]
  /// The models inside, by the name of their call; `nil` while what they read is being found.
  private var scopes: [String: KerasScope?] = [:]
  private var knownOutputs: [String]?

  init(_ model: KerasModelConfig, path: [String], name: String, bindings: [String: String]) {
    self.model = model
    self.path = path
    self.name = name
    self.bindings = bindings
  }

  /// Every node of this model and of those inside it.
  func nodes() throws(NetconvError) -> [KerasArchitecture.Node] {
    var nodes: [KerasArchitecture.Node] = []
    for layer in model.layers {
      for (index, call) in layer.calls.enumerated() {
        guard layer.model == nil else {
          nodes += try inner(layer, call: index).nodes()
          continue
        }
        var inputs: [String] = []
        for reference in call { inputs.append(try resolve(reference)) }
        nodes.append(
          KerasArchitecture.Node(
            layer: layer.config, path: path + [layer.config.name],
            place: "layer \(layer.position + 1) of \(model.layerCount)",
            name: nodeName(layer, index), inputs: inputs))
      }
    }
    return nodes
  }

  /// The names of the nodes whose values the model gives.
  func outputs() throws(NetconvError) -> [String] {
    if let knownOutputs { return knownOutputs }
    var outputs: [String] = []
    for reference in model.outputs { outputs.append(try resolve(reference)) }
    knownOutputs = outputs
    return outputs
  }

  /// The name of the node, or the input of the whole model, that a reference stands for.
  private func resolve(_ reference: KerasReference) throws(NetconvError) -> String {
    if model.inputs.contains(where: { $0.name == reference.layer }) {
      return bindings[reference.layer] ?? reference.layer
    }
    guard let layer = model.layers.first(where: { $0.config.name == reference.layer }) else {
      throw .unknownReference(reference.layer)
    }
    let index = layer.call(of: reference)
    guard layer.model != nil else { return nodeName(layer, index) }
    let outputs = try inner(layer, call: index).outputs()
    guard outputs.indices.contains(reference.tensor) else {
      throw .unknownReference(reference.layer)
    }
    return outputs[reference.tensor]
  }

  /// The scope of a call of a model; made once, so that chains of models cost what they are long.
  private func inner(
    _ layer: KerasModelConfig.Layer, call index: Int
  ) throws(NetconvError) -> KerasScope {
    let key = nodeName(layer, index)
    if let known = scopes[key] {
      guard let known else { throw .cyclicModels(layer.config.name) }
      return known
    }
    guard let model = layer.model, layer.calls.indices.contains(index) else {
      throw .unknownReference(layer.config.name)
    }
    let call = layer.calls[index]
    guard model.inputs.count == call.count else {
      throw NetconvError.wrongModelInputs(call.count, expected: model.inputs.count)
        .inLayer(layer.config.name)
    }
    scopes[key] = .some(nil)
    var bindings: [String: String] = [:]
    for (input, reference) in zip(model.inputs, call) {
      bindings[input.name] = try resolve(reference)
    }
    let scope = KerasScope(
      model, path: path + [layer.config.name], name: key + "/", bindings: bindings)
    scopes[key] = scope
    return scope
  }

  private func nodeName(_ layer: KerasModelConfig.Layer, _ index: Int) -> String {
    name + layer.config.name + (index == 0 ? "" : ":\(index)")
  }
}
