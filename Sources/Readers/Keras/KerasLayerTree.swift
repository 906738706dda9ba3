import Documents

/// A layer of a configuration with its nested layers: names and settings without calls.
struct KerasLayerTree: Sendable {
  /// The class, name and settings.
  let config: KerasLayerConfig
  /// The layers of a nested model; `nil` if this layer is not a model.
  let inner: [KerasLayerTree]?

  /// The maximum nesting depth of models.
  private static let depthLimit = 32

  /// Creates the tree of a parsed layer.
  ///
  /// - Parameter kerasVersion: The major version of Keras that wrote it.
  init(_ layer: KerasModelConfig.Layer, kerasVersion: Int) {
    var config = layer.config
    config.kerasVersion = kerasVersion
    self.config = config
    inner = layer.model?.layers.map { KerasLayerTree($0, kerasVersion: kerasVersion) }
  }

  private init?(_ value: JSONValue, _ kerasVersion: Int, depth: Int) {
    guard var config = try? KerasLayerConfig(value, place: "layers") else { return nil }
    config.kerasVersion = kerasVersion
    self.config = config
    inner = Self.layers(of: value, kerasVersion, depth: depth + 1)
  }

  /// Returns the layers of a configuration that need not form a graph, as far as they can be parsed.
  ///
  /// - Returns: `nil` if the configuration lists none, as for a subclassed model.
  static func layers(of config: JSONValue, _ kerasVersion: Int) -> [KerasLayerTree]? {
    layers(of: config, kerasVersion, depth: 0)
  }

  private static func layers(
    of config: JSONValue, _ kerasVersion: Int, depth: Int
  ) -> [KerasLayerTree]? {
    guard depth < depthLimit,
      let list = config["config"]?["layers"]?.array ?? config["config"]?.array
    else { return nil }
    return list.compactMap { KerasLayerTree($0, kerasVersion, depth: depth) }
      .filter { $0.config.className != "InputLayer" }
  }
}

/// A layer that is not a model, with the models that enclose it.
struct KerasLeaf: Sendable {
  /// The names of the enclosing models, outermost first, and of the layer itself.
  let path: [String]
  /// The class, name and settings.
  let config: KerasLayerConfig

  /// The name in the converted model: `body/conv`.
  var name: String { path.joined(separator: "/") }

  /// Returns every layer in `layers` that is not a model.
  static func all(in layers: [KerasLayerTree], path: [String] = []) -> [KerasLeaf] {
    layers.flatMap { layer in
      let path = path + [layer.config.name]
      return layer.inner.map { all(in: $0, path: path) }
        ?? [KerasLeaf(path: path, config: layer.config)]
    }
  }
}
