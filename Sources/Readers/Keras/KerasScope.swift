import ModelIR

/// A model at one level of the graph: the root, or one call of a nested model.
final class KerasScope {
  private let model: KerasModelConfig
  private let path: [String]
  private let name: String
  /// The nodes passed as the model's inputs; empty at the root.
  private let bindings: [String: String]
  /// The number of enclosing layers that apply it to each step of a sequence.
  private let distribution: Int
  /// True if its layers run in training mode unless their calls state otherwise.
  private let isTraining: Bool
  private let effort: Effort
  /// The nested models by the name of their call; `nil` while their inputs are being resolved.
  private var scopes: [String: KerasScope?] = [:]
  private var knownOutputs: [String]?

  /// Creates the scope of the root model.
  convenience init(_ model: KerasModelConfig) {
    self.init(
      model, path: [], name: "", bindings: [:], distribution: 0, isTraining: false,
      effort: Effort())
  }

  private init(
    _ model: KerasModelConfig, path: [String], name: String, bindings: [String: String],
    distribution: Int, isTraining: Bool, effort: Effort
  ) {
    self.model = model
    self.path = path
    self.name = name
    self.bindings = bindings
    self.distribution = distribution
    self.isTraining = isTraining
    self.effort = effort
  }

  /// Returns every node of this model and of nested models.
  func nodes() throws(NetconvError) -> [KerasArchitecture.Node] {
    var nodes: [KerasArchitecture.Node] = []
    for layer in model.layers {
      for (index, call) in layer.calls.enumerated() {
        guard layer.model == nil else {
          nodes += try inner(layer, call: index).nodes()
          continue
        }
        var inputs: [String] = []
        for reference in call.inputs { inputs.append(try resolve(reference)) }
        var masks: [String] = []
        for reference in call.masks { masks.append(try resolve(reference)) }
        let attention = try call.attention?.resolved { reference throws(NetconvError) in
          try resolve(reference)
        }
        let name = nodeName(layer, index)
        try effort.spend(calls: 1, names: inputs + masks + [name])
        nodes.append(
          KerasArchitecture.Node(
            layer: layer.config, path: path + [layer.config.name],
            place: "layer \(layer.position + 1) of \(model.layerCount)",
            name: name, inputs: inputs, masks: masks, distribution: distribution,
            isTraining: call.isTraining ?? isTraining, attention: attention,
            isReversed: call.isReversed))
      }
    }
    return nodes
  }

  /// Returns the names of the model's output nodes.
  func outputs() throws(NetconvError) -> [String] {
    if let knownOutputs { return knownOutputs }
    var outputs: [String] = []
    for reference in model.outputs { outputs.append(try resolve(reference)) }
    try effort.spend(calls: 0, names: outputs)
    knownOutputs = outputs
    return outputs
  }

  /// Returns the name of the node, or of the root model's input, that a reference denotes.
  private func resolve(_ reference: KerasReference) throws(NetconvError) -> String {
    if model.hasInput(reference.layer) { return bindings[reference.layer] ?? reference.layer }
    guard let layer = model.layer(named: reference.layer) else {
      throw .unknownReference(reference.layer)
    }
    let index = layer.call(of: reference)
    guard layer.model != nil else {
      let name = nodeName(layer, index)
      return reference.tensor == 0
        ? name : KerasArchitecture.Node.output(reference.tensor, of: name)
    }
    let outputs = try inner(layer, call: index).outputs()
    guard outputs.indices.contains(reference.tensor) else {
      throw .unknownReference(reference.layer)
    }
    return outputs[reference.tensor]
  }

  /// Returns the scope of a model's call; it is cached, so that chains of models take linear time.
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
    guard model.inputs.count == call.inputs.count else {
      throw NetconvError.wrongModelInputs(call.inputs.count, expected: model.inputs.count)
        .inLayer(layer.config.name)
    }
    scopes[key] = .some(nil)
    try effort.enter(layer.config.name)
    var bindings: [String: String] = [:]
    for (input, reference) in zip(model.inputs, call.inputs) {
      bindings[input.name] = try resolve(reference)
    }
    effort.leave()
    try effort.spend(calls: 1 + model.layers.count, names: Array(bindings.values))
    let scope = KerasScope(
      model, path: path + [layer.config.name], name: key + "/", bindings: bindings,
      distribution: distribution
        + (layer.config.className == KerasTimeDistributed.className ? 1 : 0),
      isTraining: call.isTraining ?? isTraining, effort: effort)
    scopes[key] = scope
    return scope
  }

  private func nodeName(_ layer: KerasModelConfig.Layer, _ index: Int) -> String {
    name + layer.config.name + (index == 0 ? "" : ":\(index)")
  }
}

extension KerasScope {
  /// The total size of the inlined models, which is limited: a few models that each call the next one twice expand to
  /// more layers than fit in memory.
  private final class Effort {
    private static let callLimit = 100_000
    private static let textLimit = 1 << 28
    /// Keras lists models in execution order, so that the preceding model is already resolved.
    private static let waitingLimit = 256

    private var calls = 0
    private var text = 0
    private var waiting = 0

    /// Adds calls of layers or models to the total.
    ///
    /// - Parameters:
    ///   - count: The number of calls.
    ///   - names: The names that are kept for them.
    /// - Throws: `badData` if the total exceeds the limit.
    func spend(calls count: Int, names: [String]) throws(NetconvError) {
      calls += count
      text += names.reduce(0) { $0 + $1.utf8.count + MemoryLayout<String>.size }
      guard calls <= Self.callLimit, text <= Self.textLimit else {
        throw .tooManyCalls(Self.callLimit)
      }
    }

    /// Records that a model is waiting for another model that it reads.
    ///
    /// - Throws: `badData` if too many models are waiting.
    func enter(_ model: String) throws(NetconvError) {
      waiting += 1
      guard waiting <= Self.waitingLimit else {
        throw NetconvError.modelsOutOfOrder(Self.waitingLimit).inLayer(model)
      }
    }

    /// Records that the inputs of a model are resolved.
    func leave() { waiting -= 1 }
  }
}

extension NetconvError {
  fileprivate static func unknownReference(_ name: String) -> NetconvError {
    NetconvError(
      .badData, "the configuration refers to a call of \(quoted(name)) that it does not list")
  }

  fileprivate static func tooManyCalls(_ limit: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the nested models, expanded, call layers more than \(limit) times; call fewer models "
        + "in models, or save them one by one")
  }

  fileprivate static func modelsOutOfOrder(_ limit: Int) -> NetconvError {
    NetconvError(
      .badData,
      "reads a model that reads a model, and so on more than \(limit) times, and they are listed last "
        + "to first; Keras lists them in the order in which they are computed, so save the model again"
    )
  }

  fileprivate static func cyclicModels(_ name: String) -> NetconvError {
    NetconvError(.badData, "the model \(quoted(name)) reads its own output")
  }

  fileprivate static func wrongModelInputs(_ found: Int, expected: Int) -> NetconvError {
    NetconvError(.badData, "is a model that is called with \(found) inputs, expected \(expected)")
  }
}
