import Documents
import ModelIR
import Operators

/// The graph of a Keras model, as its configuration has it, in one form for all versions.
///
/// Models that serve as layers are spelled out: their layers are called `model/layer`.
struct KerasArchitecture: Sendable {
  /// One call of a layer.
  struct Node: Sendable {
    /// The layer that is called.
    var layer: KerasLayerConfig
    /// The models that the layer lies in, outermost first, and the layer itself, by name.
    let path: [String]
    /// Where the layer stands in its model, for people: `layer 3 of 8`.
    let place: String
    /// Unique in the model: the path, with the number of each call after the first.
    var name: String
    /// The outputs of nodes, or inputs, that it reads.
    var inputs: [String]
    /// Names of the outputs behind the first, of a layer that gives its states.
    var furtherOutputs: [String] = []
    /// The nodes that the call states as its mask.
    var masks: [String] = []
    /// How many layers around it apply it to each step of a sequence.
    var distribution = 0
    /// Whether it acts as in training, whatever the model does.
    var isTraining = false
    /// The layers between the one that the configuration lists and the one whose weights these are.
    var parts: [KerasPart] = []
    /// How a recurrent layer is called.
    var recurrence = KerasRecurrentCall()
    /// What is computed, where no layer of Keras says so.
    var operation: (any Operator)?

    /// The node's name if every call were the first: what owns the weights.
    var owner: String {
      operation == nil ? (path + parts.map(\.name)).joined(separator: "/") : name
    }

    /// What an output after the first is called.
    static func output(_ index: Int, of name: String) -> String { "\(name)/\(index)" }
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
  /// The file that describes the model, which may be another than that of the weights.
  let file: String

  /// Reads the value of `model_config`, or what `model.to_json()` gives.
  ///
  /// - Parameters:
  ///   - version: of the Keras that wrote the file, where the configuration itself does not say.
  ///   - file: where the configuration is, for messages.
  /// - Throws: `badData` if it is neither a Sequential nor a Functional model.
  init(_ config: JSONValue, version: String? = nil, file: String) throws(NetconvError) {
    do {
      try self.init(parsing: config, version: version, file: file)
    } catch {
      throw error.inFile(file)
    }
  }

  private init(parsing config: JSONValue, version: String?, file: String) throws(NetconvError) {
    self.file = file
    let (config, kerasVersion) = Self.modern(config, version: version)
    self.kerasVersion = kerasVersion
    let model = try KerasModelConfig(config, place: "model_config")
    root = model
    inputs = model.inputs
    let scope = KerasScope(model)
    // The nodes first: each model that is called is then known to the next one in a chain.
    let calls = try scope.nodes().map { node in
      var node = node
      node.layer.kerasVersion = kerasVersion
      node.recurrence.batch = model.batch
      return node
    }
    outputs = try scope.outputs()
    nodes = try KerasSequences(calls, outputs: outputs).nodes
    name = model.name
  }

  /// The layers of the model, each with those in it.
  var layers: [KerasLayerTree] {
    root.layers.map { KerasLayerTree($0, kerasVersion: kerasVersion) }
  }

  /// Every layer once, by the name that owns its weights.
  var namedLayers: [(name: String, config: KerasLayerConfig)] {
    var seen: Set<String> = []
    return nodes.filter { seen.insert($0.owner).inserted }.map { ($0.owner, $0.layer) }
  }

  /// Recurrent layers that go on where the batch before has ended, each once.
  var statefulLayers: [String] {
    var seen: Set<String> = []
    return nodes.filter { $0.recurrence.isStateful && seen.insert($0.owner).inserted }.map(\.name)
  }

  /// A configuration as Keras has written them since version 2, and the version that wrote this one.
  static func modern(
    _ config: JSONValue, version: String?
  ) -> (config: JSONValue, kerasVersion: Int) {
    let kerasVersion: Int
    if let own = major(config["keras_version"]?.string) {
      kerasVersion = own
    } else {
      // The file's version can be that of another program than the configuration's.
      kerasVersion =
        KerasOne.wrote(config) ? 1 : isOfKeras3(config) ? 3 : major(version) ?? 2
    }
    return (kerasVersion == 1 ? KerasOne.translated(config) : config, kerasVersion)
  }

  /// Whether a configuration has what only Keras 3 writes, which states no version in `to_json()`.
  private static func isOfKeras3(_ model: JSONValue) -> Bool {
    (model["config"]?["layers"]?.array ?? []).contains { layer in
      layer["config"]?["batch_shape"] != nil
        || layer["config"]?["dtype"]?["class_name"] == .string("DTypePolicy")
        || isOfKeras3(layer)
    }
  }

  /// 2 of `2.15.0`.
  static func major(_ version: String?) -> Int? {
    version.flatMap { Int($0.prefix { $0 != "." }) }
  }
}
