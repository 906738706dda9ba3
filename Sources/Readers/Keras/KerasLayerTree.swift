import Documents

/// A layer that a configuration lists, and the layers in it if it is a model: names and settings without calls.
struct KerasLayerTree: Sendable {
  /// Its class, name and settings.
  let config: KerasLayerConfig
  /// The layers of the model that it is; `nil` if it is none.
  let inner: [KerasLayerTree]?

  /// Models inside models, at most, that are looked into.
  private static let depthLimit = 32

  /// A layer of a model that was understood.
  ///
  /// - Parameter kerasVersion: The first number of the version of Keras that wrote it.
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

  /// What can be made out of the layers of a configuration that need not be one of a graph.
  ///
  /// - Returns: `nil` if it lists none, as that of a subclassed model.
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

/// A layer that is no model, with the models that it lies in.
struct KerasLeaf: Sendable {
  /// The models that it lies in, outermost first, and the layer itself, by name.
  let path: [String]
  /// Its class, name and settings.
  let config: KerasLayerConfig

  /// The name of its layer: `body/conv`.
  var name: String { path.joined(separator: "/") }

  /// Every layer in `layers` that is no model.
  static func all(in layers: [KerasLayerTree], path: [String] = []) -> [KerasLeaf] {
    layers.flatMap { layer in
      let path = path + [layer.config.name]
      return layer.inner.map { all(in: $0, path: path) }
        ?? [KerasLeaf(path: path, config: layer.config)]
    }
  }
}
