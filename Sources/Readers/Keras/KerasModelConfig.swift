import Documents
import ModelIR

/// The configuration of a Sequential or Functional model.
struct KerasModelConfig: Sendable {
  /// A layer and its calls.
  struct Layer: Sendable {
    /// The class, name and settings.
    let config: KerasLayerConfig
    /// The nested model, if the layer is a model.
    let model: KerasModelConfig?
    /// The index in the configuration.
    let position: Int
    let calls: [KerasCall]
    /// The number of the first call in references.
    ///
    /// Keras 2 counts from 1 for some models; Keras 3 does so only in the list of outputs, which the reader corrects.
    let firstCall: Int

    /// Returns the index of the call that a reference denotes.
    func call(of reference: KerasReference) -> Int { reference.node - firstCall }
  }

  /// The arguments of a call.
  struct KerasCall: Sendable {
    /// The inputs, in order.
    let inputs: [KerasReference]
    /// The masks, if the call states them.
    var masks: [KerasReference] = []
    /// The `training` argument, if the call states it.
    var isTraining: Bool?
    /// The arguments by name, of a layer whose inputs have meanings of their own.
    var attention: KerasAttentionCall<KerasReference>?
    /// True if a table is read backwards.
    var isReversed = false
  }

  /// The name of the model in the configuration.
  let name: String
  /// The inputs, in order.
  let inputs: [ModelInput]
  /// All layers except the input layers.
  let layers: [Layer]
  /// The outputs of the model.
  let outputs: [KerasReference]
  /// The batch size, if the model is built for a fixed one.
  let batch: Int?
  /// The number of layers in the configuration, including input layers.
  let layerCount: Int
  /// The index in ``layers`` of each layer, and the names of the inputs.
  private let places: [String: Entry]

  private enum Entry {
    case input
    case layer(Int)
  }

  /// Returns true if the model has an input with this name.
  func hasInput(_ name: String) -> Bool {
    if case .input = places[name] { true } else { false }
  }

  /// Returns the first layer with this name, unless it is an input.
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

  /// The maximum nesting depth of models.
  private static let depthLimit = 32

  /// Reads the configuration of a model.
  ///
  /// - Throws: `badData` unless it is a Sequential or Functional model.
  init(_ config: JSONValue, place: String, depth: Int = 0) throws(NetconvError) {
    guard depth < Self.depthLimit else { throw .nestedTooDeep(Self.depthLimit) }
    switch config.kerasClass {
    case "Sequential": try self.init(sequential: config, place: place, depth: depth)
    case let name? where Self.functional.contains(name):
      try self.init(functional: config, place: place, depth: depth)
    case let name: throw .unknownModelClass(name)
    }
  }

  /// Returns true if layers of this class are models.
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
    // Before Keras 2.2.3 the configuration of a Sequential model is the list of layers itself.
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
  /// Returns the shape of an input layer, or of the first layer of a Sequential model, without the batch.
  ///
  /// - Parameter fallback: The shape with which the model was built, if known.
  /// - Throws: `badData` if there is no shape.
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

  /// Returns the batch size of an input layer, or of the first layer of a Sequential model.
  ///
  /// - Parameter fallback: The shape with which the model was built, if known.
  fileprivate func batch(or fallback: JSONValue? = nil) -> Int? {
    let stated = Self.shapeKeys.lazy.compactMap { settings[$0] }.first
    return (stated ?? fallback)?.array?.first?.int
  }

  /// The settings for a shape that starts with the batch.
  private static let shapeKeys = ["batch_input_shape", "batch_shape"]
  private static let shapeText = "a list of sizes, the batch first, each a whole number or null"

  /// Returns the sizes of a list without the leading batch; `nil` if it is not a list of sizes.
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
      // Both versions count the call that created the model; Keras 3 only in its list of outputs.
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

  /// Returns the arguments of each call of a layer.
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
            isTraining: KerasReference.isTraining(in: node),
            attention: try KerasAttentionCall(of: layer, node),
            isReversed: KerasReversibleEmbedding.isReversed(node, of: layer)))
      }
      return calls
    } catch {
      throw error.inLayer(layer.name)
    }
  }

  /// Returns the highest referenced call number of each layer.
  private static func lastCalls(_ references: [KerasReference]) -> [String: Int] {
    Dictionary(references.map { ($0.layer, $0.node) }, uniquingKeysWith: max)
  }
}

extension NetconvError {
  fileprivate static func unknownModelClass(_ name: String?) -> NetconvError {
    NetconvError(
      .badData,
      text: Message(
        text: name.map { "the model is of class \(quoted($0))" }
          ?? "the configuration names no model class")
        + ", expected Sequential or Functional" + weightsAlone)
  }

  fileprivate static func nestedTooDeep(_ limit: Int) -> NetconvError {
    NetconvError(.badData, "models are nested more than \(limit) levels deep")
  }

  fileprivate static var noInputShape: NetconvError {
    NetconvError(
      .badData,
      "the model states no input shape; build it, or start it with an Input layer, and "
        + "save it again")
  }

  fileprivate static func unknownInputLayer(_ name: String) -> NetconvError {
    NetconvError(.badData, "input_layers names \(quoted(name)), which is not an InputLayer")
  }
}
