import Documents
import ModelIR

/// The graph of a Keras model, as its configuration has it, in one form for all versions.
struct KerasArchitecture: Sendable {
  /// One call of a layer.
  struct Node: Sendable {
    /// The layer that is called.
    let layer: KerasLayerConfig
    /// Where the layer stands in the configuration, counted from 0.
    let position: Int
    /// Unique in the model: the layer's name, with the number of the call after the first.
    let name: String
    /// The nodes or inputs that it reads.
    let inputs: [String]
  }

  /// What the configuration calls the model.
  let name: String
  /// In the order in which arrays are fed.
  let inputs: [ModelInput]
  /// The calls, in the order of the configuration.
  let nodes: [Node]
  /// Names of nodes.
  let outputs: [String]
  /// How many layers the configuration lists.
  let layerCount: Int

  /// Reads the value of `model_config`, or what `model.to_json()` gives.
  ///
  /// - Throws: `badData` if it is neither a Sequential nor a Functional model.
  init(_ config: JSONValue) throws(NetconvError) {
    switch config["class_name"]?.string {
    case "Sequential": try self.init(sequential: config)
    case "Functional", "Model": try self.init(functional: config)
    case let name: throw .unknownModelClass(name)
    }
  }

  /// The name of call number `index` of a layer.
  private static func nodeName(_ layer: String, _ index: Int) -> String {
    index == 0 ? layer : "\(layer):\(index)"
  }

  private static func layers(_ config: JSONValue) throws(NetconvError) -> [JSONValue] {
    // Before Keras 2.2.3 the configuration of a Sequential model is the list itself.
    guard let layers = config["config"]?["layers"]?.array ?? config["config"]?.array else {
      throw .configMissing("config.layers", place: "model_config")
    }
    return layers
  }
}

// MARK: - Sequential

extension KerasArchitecture {
  private init(sequential config: JSONValue) throws(NetconvError) {
    var layers: [(position: Int, layer: KerasLayerConfig)] = []
    for (position, value) in try Self.layers(config).enumerated() {
      layers.append((position, try KerasLayerConfig(value, place: "layers[\(position)]")))
    }
    layerCount = layers.count
    guard let first = layers.first else { throw .noLayers }
    let input: ModelInput
    if first.layer.className == "InputLayer" {
      input = ModelInput(name: first.layer.name, shape: try first.layer.inputShape())
      layers.removeFirst()
    } else {
      input = ModelInput(
        name: first.layer.name + "_input",
        shape: try first.layer.inputShape(or: config["config"]?["build_input_shape"]))
    }
    var nodes: [Node] = []
    for (position, layer) in layers {
      nodes.append(
        Node(
          layer: layer, position: position, name: layer.name,
          inputs: [nodes.last?.name ?? input.name]))
    }
    name = config["config"]?["name"]?.string ?? "sequential"
    inputs = [input]
    outputs = nodes.last.map { [$0.name] } ?? []
    self.nodes = nodes
  }
}

extension KerasLayerConfig {
  /// The shape that an input layer, or the first layer of a Sequential model, states; without the batch.
  ///
  /// - Parameter fallback: the shape that the model was built with, if it is known.
  /// - Throws: `badData` if there is none.
  fileprivate func inputShape(or fallback: JSONValue? = nil) throws(NetconvError) -> Shape {
    let value =
      settings["batch_input_shape"] ?? settings["batch_shape"] ?? fallback
    guard let sizes = value?.array, !sizes.isEmpty else {
      throw NetconvError.noInputShape.inLayer(name)
    }
    return Shape(sizes.dropFirst().map(\.int))
  }
}

// MARK: - Functional

extension KerasArchitecture {
  private init(functional config: JSONValue) throws(NetconvError) {
    let layers = try Self.layers(config)
    layerCount = layers.count
    var inputs: [String: ModelInput] = [:]
    var nodes: [Node] = []
    for (position, value) in layers.enumerated() {
      let layer = try KerasLayerConfig(value, place: "layers[\(position)]")
      if layer.className == "InputLayer" {
        inputs[layer.name] = ModelInput(name: layer.name, shape: try layer.inputShape())
        continue
      }
      for (index, call) in (value["inbound_nodes"]?.array ?? []).enumerated() {
        nodes.append(
          Node(
            layer: layer, position: position, name: Self.nodeName(layer.name, index),
            inputs: Self.references(in: call).map(Self.nodeName)))
      }
    }
    guard !nodes.isEmpty else { throw .noLayers }
    var ordered: [ModelInput] = []
    for (name, _) in Self.references(in: config["config"]?["input_layers"] ?? .null) {
      guard let input = inputs[name] else { throw .unknownInputLayer(name) }
      ordered.append(input)
    }
    self.inputs = ordered.isEmpty ? inputs.values.sorted { $0.name < $1.name } : ordered
    self.nodes = nodes
    outputs = Self.references(in: config["config"]?["output_layers"] ?? .null).map(Self.nodeName)
    name = config["config"]?["name"]?.string ?? config["name"]?.string ?? "model"
  }

  /// Every reference to a call in a value, in order.
  ///
  /// Keras 2 writes `["conv1", 0, 0, {}]`, Keras 3 an object of class `__keras_tensor__` with a
  /// `keras_history`; both nest them in lists, and Keras 3 in arguments by name.
  private static func references(in value: JSONValue) -> [(String, Int)] {
    if let history = value["config"]?["keras_history"] { return references(in: history) }
    switch value {
    case .array(let elements):
      if elements.count >= 3, let name = elements[0].string, let index = elements[1].int,
        elements[2].int != nil
      {
        return [(name, index)] + elements.dropFirst(3).flatMap(references)
      }
      return elements.flatMap(references)
    case .object(let members):
      let arguments = members["args"].map(references) ?? []
      let named = members.filter { $0.key != "args" }.sorted { $0.key < $1.key }
      return arguments + named.flatMap { references(in: $0.value) }
    default:
      return []
    }
  }
}
