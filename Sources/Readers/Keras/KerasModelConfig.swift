import Documents
import ModelIR

/// A Sequential or Functional model, as its configuration describes it.
struct KerasModelConfig: Sendable {
  /// A layer and its calls.
  struct Layer: Sendable {
    /// Its class, name and settings.
    let config: KerasLayerConfig
    /// The model that it is, if it is one.
    let model: KerasModelConfig?
    /// Where it stands in the configuration, counted from 0.
    let position: Int
    /// What each call reads.
    let calls: [KerasCall]
    /// The number of the first call in references: Keras 2 counts from 1 for some models, Keras 3 only where
    /// outputs are listed, which is undone when they are read.
    let firstCall: Int

    /// The index of the call that a reference means.
    func call(of reference: KerasReference) -> Int { reference.node - firstCall }
  }

  /// What a call of a layer reads.
  struct KerasCall: Sendable {
    /// In order.
    let inputs: [KerasReference]
    /// What says which steps of a sequence count, where the call states it.
    var masks: [KerasReference] = []
    /// Whether the layer is to act as in training, where the call states it.
    var isTraining: Bool?
  }

  /// What the configuration calls the model.
  let name: String
  /// In order.
  let inputs: [ModelInput]
  /// All layers but the inputs.
  let layers: [Layer]
  /// What the model gives.
  let outputs: [KerasReference]
  /// How many samples the model takes at once, if it is built for a certain number.
  let batch: Int?
  /// How many layers the configuration lists, inputs included.
  let layerCount: Int
  /// Where each layer stands in ``layers``, and each input.
  private let places: [String: Entry]

  private enum Entry {
    case input
    case layer(Int)
  }

  /// Whether the model has an input of this name.
  func hasInput(_ name: String) -> Bool {
    if case .input = places[name] { true } else { false }
  }

  /// The first layer of this name, unless it is an input.
  func layer(named name: String) -> Layer? {
    if case .layer(let index) = places[name] { layers[index] } else { nil }
  }

  private static func places(_ inputs: [ModelInput], _ layers: [Layer]) -> [String: Entry] {
    var places: [String: Entry] = [:]
    for (index, layer) in layers.enumerated().reversed() {
      places[layer.config.name] = .layer(index)
    }
    for input in inputs { places[input.name] = .input }
    return places
  }

  private static let functional = ["Functional", "Model"]

  /// Models inside models, at most.
  private static let depthLimit = 32

  /// Reads the configuration of a model.
  ///
  /// - Throws: `badData` if it is neither a Sequential nor a Functional model.
  init(_ config: JSONValue, place: String, depth: Int = 0) throws(NetconvError) {
    guard depth < Self.depthLimit else { throw .nestedTooDeep(Self.depthLimit) }
    switch config.kerasClass {
    case "Sequential": try self.init(sequential: config, place: place, depth: depth)
    case let name? where Self.functional.contains(name):
      try self.init(functional: config, place: place, depth: depth)
    case let name: throw .unknownModelClass(name)
    }
  }

  /// Whether a layer of this class is a model.
  private static func isModel(_ className: String) -> Bool {
    className == "Sequential" || functional.contains(className)
  }

  private static func inner(
    _ layer: KerasLayerConfig, _ value: JSONValue, depth: Int
  ) throws(NetconvError) -> KerasModelConfig? {
    let isDistributed = layer.className == KerasTimeDistributed.className
    let value = isDistributed ? layer.settings["layer"] ?? .null : value
    guard isModel(value.kerasClass ?? "") else { return nil }
    do {
      return try KerasModelConfig(value, place: "config", depth: depth + 1)
    } catch {
      throw error.inLayer(layer.name)
    }
  }

  private static func list(
    _ config: JSONValue, place: String
  ) throws(NetconvError) -> [JSONValue] {
    // Before Keras 2.2.3 the configuration of a Sequential model is the list itself.
    guard let layers = config["config"]?["layers"]?.array ?? config["config"]?.array else {
      throw .configMissing("config.layers", place: place)
    }
    return layers
  }
}

// MARK: - Sequential

extension KerasModelConfig {
  private init(sequential config: JSONValue, place: String, depth: Int) throws(NetconvError) {
    let values = try Self.list(config, place: place)
    var input: ModelInput?
    var layers: [Layer] = []
    var batch: Int?
    for (position, value) in values.enumerated() {
      let layer = try KerasLayerConfig(value, place: "layers[\(position)]")
      if position == 0, layer.className == "InputLayer" {
        input = ModelInput(name: layer.name, shape: try layer.inputShape())
        batch = layer.batch()
        continue
      }
      let inner = try Self.inner(layer, value, depth: depth)
      let source: String
      if let last = layers.last {
        source = last.config.name
      } else if let input {
        source = input.name
      } else {
        source = layer.name + "_input"
        let known = config["config"]?["build_input_shape"]
        batch = inner?.batch ?? layer.batch(or: known)
        let shape =
          if let inner = inner?.inputs.first { inner.shape } else {
            try layer.inputShape(or: known)
          }
        input = ModelInput(name: source, shape: shape)
      }
      layers.append(
        Layer(
          config: layer, model: inner, position: position,
          calls: [KerasCall(inputs: [KerasReference(layer: source)])], firstCall: 0))
    }
    guard let input, let last = layers.last else { throw .noLayers }
    name = config["config"]?["name"]?.string ?? "sequential"
    inputs = [input]
    self.batch = batch
    self.layers = layers
    outputs = [KerasReference(layer: last.config.name)]
    layerCount = values.count
    places = Self.places(self.inputs, self.layers)
  }
}

extension KerasLayerConfig {
  /// The shape that an input layer, or the first layer of a Sequential model, states; without the batch.
  ///
  /// - Parameter fallback: the shape that the model was built with, if it is known.
  /// - Throws: `badData` if there is none.
  fileprivate func inputShape(or fallback: JSONValue? = nil) throws(NetconvError) -> Shape {
    for key in Self.shapeKeys {
      if let shape = try optionalSetting(key, expected: Self.shapeText, Self.shape) { return shape }
    }
    guard let fallback else { throw NetconvError.noInputShape.inLayer(name) }
    guard let shape = Self.shape(fallback) else {
      throw NetconvError.wrongSetting("build_input_shape", fallback, expected: Self.shapeText)
    }
    return shape
  }

  /// The size of the batch that an input layer, or the first layer of a Sequential model, is built for.
  ///
  /// - Parameter fallback: the shape that the model was built with, if it is known.
  fileprivate func batch(or fallback: JSONValue? = nil) -> Int? {
    let stated = Self.shapeKeys.lazy.compactMap { settings[$0] }.first
    return (stated ?? fallback)?.array?.first?.int
  }

  /// Where a shape stands, with the batch in front.
  private static let shapeKeys = ["batch_input_shape", "batch_shape"]
  private static let shapeText = "a list of sizes, the batch first, each a whole number or null"

  /// The sizes of a list but for the first, which is the batch; `nil` if it is no list of sizes.
  private static func shape(_ value: JSONValue) -> Shape? {
    guard let sizes = value.array, !sizes.isEmpty,
      sizes.allSatisfy({ $0 == .null || $0.int != nil })
    else { return nil }
    return Shape(sizes.dropFirst().map(\.int))
  }
}

// MARK: - Functional

extension KerasModelConfig {
  private init(functional config: JSONValue, place: String, depth: Int) throws(NetconvError) {
    let values = try Self.list(config, place: place)
    let outputs = try KerasReference.all(in: config["config"]?["output_layers"] ?? .null)
    var called: [(layer: KerasLayerConfig, calls: [KerasCall])] = []
    for (position, value) in values.enumerated() {
      let layer = try KerasLayerConfig(value, place: "layers[\(position)]")
      called.append((layer, try Self.calls(of: layer, value)))
    }
    let lastCalls = Self.lastCalls(called.flatMap(\.calls).flatMap(\.inputs) + outputs)
    var inputs: [String: ModelInput] = [:]
    var layers: [Layer] = []
    var batch: Int?
    var countedFromOne: Set<String> = []
    for (position, (layer, calls)) in called.enumerated() {
      if layer.className == "InputLayer" {
        inputs[layer.name] = ModelInput(name: layer.name, shape: try layer.inputShape())
        batch = batch ?? layer.batch()
        continue
      }
      let inner = try Self.inner(layer, values[position], depth: depth)
      // Both count the call with which a model itself was made, Keras 3 only in its list of outputs.
      let isOfKeras3 = values[position]["inbound_nodes"]?.array?.first?["args"] != nil
      if isOfKeras3, Self.functional.contains(layer.className) { countedFromOne.insert(layer.name) }
      let firstCall =
        inner != nil && !isOfKeras3 && (lastCalls[layer.name] ?? 0) >= calls.count ? 1 : 0
      layers.append(
        Layer(
          config: layer, model: inner, position: position, calls: calls, firstCall: firstCall))
    }
    guard !layers.isEmpty else { throw .noLayers }
    var ordered: [ModelInput] = []
    for reference in try KerasReference.all(in: config["config"]?["input_layers"] ?? .null) {
      guard let input = inputs[reference.layer] else { throw .unknownInputLayer(reference.layer) }
      ordered.append(input)
    }
    self.inputs = ordered.isEmpty ? inputs.values.sorted { $0.name < $1.name } : ordered
    self.batch = batch
    self.layers = layers
    self.outputs = outputs.map { output in
      guard countedFromOne.contains(output.layer), output.node > 0 else { return output }
      return KerasReference(layer: output.layer, node: output.node - 1, tensor: output.tensor)
    }
    name = config["config"]?["name"]?.string ?? config["name"]?.string ?? "model"
    layerCount = values.count
    places = Self.places(self.inputs, self.layers)
  }

  /// What each call of a layer reads.
  private static func calls(
    of layer: KerasLayerConfig, _ value: JSONValue
  ) throws(NetconvError) -> [KerasCall] {
    guard let nodes = value["inbound_nodes"] else { return [] }
    do throws(NetconvError) {
      guard let list = nodes.array else {
        throw .wrongSetting("inbound_nodes", nodes, expected: "a list of calls")
      }
      var calls: [KerasCall] = []
      for node in list {
        calls.append(
          KerasCall(
            inputs: try KerasReference.all(in: node), masks: try KerasReference.masks(in: node),
            isTraining: KerasReference.isTraining(in: node)))
      }
      return calls
    } catch {
      throw error.inLayer(layer.name)
    }
  }

  /// The highest number of a call that anything refers to, by layer.
  private static func lastCalls(_ references: [KerasReference]) -> [String: Int] {
    Dictionary(references.map { ($0.layer, $0.node) }, uniquingKeysWith: max)
  }
}
