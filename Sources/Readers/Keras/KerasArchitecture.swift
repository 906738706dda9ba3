import Documents
import ModelIR
import Operators

/// The graph of a Keras model's configuration, in one form for all Keras versions.
///
/// Nested models are inlined: their layers are named `model/layer`.
struct KerasArchitecture: Sendable {
  /// One call of a layer.
  struct Node: Sendable {
    /// The layer that is called.
    var layer: KerasLayerConfig
    /// The names of the enclosing models, outermost first, and of the layer itself.
    let path: [String]
    /// The position of the layer in its model, for messages: `layer 3 of 8`.
    let place: String
    /// The unique name in the model: the path, with a call number after the first call.
    var name: String
    /// The node outputs or model inputs that it reads.
    var inputs: [String]
    /// The names of the second and further outputs, if the layer returns its states.
    var furtherOutputs: [String] = []
    /// The nodes passed as the mask of this call.
    var masks: [String] = []
    /// The number of enclosing layers that apply it to each step of a sequence.
    var distribution = 0
    /// True if the layer always runs in training mode.
    var isTraining = false
    /// The layers between the listed layer and the one that owns the weights.
    var parts: [KerasPart] = []
    /// The settings of a recurrent layer's call.
    var recurrence = KerasRecurrentCall()
    /// The arguments by name, of a layer whose inputs have meanings of their own.
    var attention: KerasAttentionCall<String>?
    /// True if a table is read backwards.
    var isReversed = false
    /// The settings of attention.
    var attentionSettings: KerasAttentionSettings?
    /// The values of an array in the configuration, which are the output.
    var constant: KerasConstant?
    /// The operator, if no Keras layer determines it.
    var operation: (any Operator)?

    /// The name of the first call, which owns the weights.
    var owner: String {
      operation == nil ? (path + parts.map(\.name)).joined(separator: "/") : name
    }

    /// Returns the name of the second or a further output.
    static func output(_ index: Int, of name: String) -> String { "\(name)/\(index)" }
  }

  /// The name of the model in the configuration.
  let name: String
  /// The inputs, in the order of the arguments.
  let inputs: [ModelInput]
  /// The calls, in the order of the configuration.
  let nodes: [Node]
  /// The names of the output nodes.
  let outputs: [String]
  /// The model configuration before inlining.
  let root: KerasModelConfig
  /// The major version of Keras that wrote the model.
  let kerasVersion: Int
  /// The file with the configuration, which can differ from the weights file.
  let file: String

  /// Reads the value of `model_config`, or the output of `model.to_json()`.
  ///
  /// - Parameters:
  ///   - version: The Keras version of the file, used if the configuration states none.
  ///   - file: The path of the configuration, for messages.
  /// - Throws: `badData` unless it is a Sequential or Functional model.
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
    // Nodes come first: they make each called model known to the next model in a chain.
    let minor = Self.minor(config["keras_version"]?.string ?? version, of: kerasVersion)
    let calls = try scope.nodes().map { node in
      var node = node
      node.layer.kerasVersion = kerasVersion
      node.layer.kerasMinor = minor
      node.recurrence.batch = model.batch
      return node
    }
    outputs = try scope.outputs()
    nodes = try KerasSequences(
      calls, outputs: outputs,
      attentionClearsMasks: kerasVersion < 3 ? false : minor.map { $0 >= 8 }
    ).nodes
    name = model.name
  }

  /// The layers of the model, including nested layers.
  var layers: [KerasLayerTree] {
    root.layers.map { KerasLayerTree($0, kerasVersion: kerasVersion) }
  }

  /// Every layer once, by the name that owns its weights.
  var namedLayers: [(name: String, config: KerasLayerConfig)] {
    var seen: Set<String> = []
    return nodes.filter { seen.insert($0.owner).inserted }.map { ($0.owner, $0.layer) }
  }

  /// The recurrent layers that keep their states between batches, each once.
  var statefulLayers: [String] {
    var seen: Set<String> = []
    return nodes.filter { $0.recurrence.isStateful && seen.insert($0.owner).inserted }.map(\.name)
  }

  /// Translates a configuration to the format of Keras 2 and later, and returns the version that wrote it.
  static func modern(
    _ config: JSONValue, version: String?
  ) -> (config: JSONValue, kerasVersion: Int) {
    let kerasVersion: Int
    if let own = major(config["keras_version"]?.string) {
      kerasVersion = own
    } else {
      // The file's version may belong to a different program than the one that wrote the configuration.
      kerasVersion =
        Keras1.wrote(config) ? 1 : isOfKeras3(config) ? 3 : major(version) ?? 2
    }
    return (kerasVersion == 1 ? Keras1.translated(config) : config, kerasVersion)
  }

  /// Returns true if a configuration has features of Keras 3, which states no version in `to_json()`.
  private static func isOfKeras3(_ model: JSONValue) -> Bool {
    (model["config"]?["layers"]?.array ?? []).contains { layer in
      layer["config"]?["batch_shape"] != nil
        || layer["config"]?["dtype"]?["class_name"] == .string("DTypePolicy")
        || isOfKeras3(layer)
    }
  }

  /// Returns the minor version, if the text is of the same major version: 15 for `2.15.0`.
  private static func minor(_ version: String?, of kerasVersion: Int) -> Int? {
    guard major(version) == kerasVersion, let parts = version?.split(separator: "."),
      parts.count > 1
    else { return nil }
    return Int(parts[1])
  }

  /// Returns the major version: 2 for `2.15.0`.
  static func major(_ version: String?) -> Int? {
    version.flatMap { Int($0.prefix { $0 != "." }) }
  }
}
