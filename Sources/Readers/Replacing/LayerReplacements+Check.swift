import ModelIR

extension LayerReplacements {
  /// Checks that each layer exists and is unsupported, if this is required, and that a single operator can replace
  /// it.
  ///
  /// - Throws: `usage` that names the architecture's file.
  func check(against architecture: KerasArchitecture) throws(NetconvError) {
    do throws(NetconvError) {
      for layer in layers { try check(layer, against: architecture) }
    } catch {
      throw error.inFile(architecture.file)
    }
  }

  private func check(
    _ layer: String, against architecture: KerasArchitecture
  ) throws(NetconvError) {
    guard let node = architecture.nodes.first(where: { $0.owner == layer }) else {
      guard isStrict else { return }
      throw Self.noLayer(layer, in: architecture)
    }
    guard KerasLayers.mapping(of: node.layer.className) == nil else {
      guard isStrict else { return }
      throw .replacesKnownLayer(layer, node.layer.className)
    }
    guard !architecture.root.readsFurtherOutputs(of: node.path[...]) else {
      throw .replacesOneOutput(layer)
    }
  }

  private static func noLayer(
    _ layer: String, in architecture: KerasArchitecture
  ) -> NetconvError {
    var seen: Set<String> = []
    let nodes = architecture.nodes.filter { seen.insert($0.owner).inserted }
    return .noLayerToReplace(
      layer, among: nodes.map(\.owner),
      replaceable: nodes.filter { KerasLayers.mapping(of: $0.layer.className) == nil }
        .map(\.owner))
  }
}

extension KerasModelConfig {
  /// Returns true if any output of a layer besides the first is used.
  ///
  /// - Parameter path: The names of the enclosing models, outermost first, and of the layer itself.
  fileprivate func readsFurtherOutputs(of path: ArraySlice<String>) -> Bool {
    guard let name = path.first else { return false }
    guard path.count == 1 else {
      return layer(named: name)?.model?.readsFurtherOutputs(of: path.dropFirst()) ?? false
    }
    return (layers.flatMap(\.calls).flatMap(\.inputs) + outputs)
      .contains { $0.layer == name && $0.tensor > 0 }
  }
}

extension NetconvError {
  fileprivate static func noLayerToReplace(
    _ layer: String, among layers: [String], replaceable: [String]
  ) -> NetconvError {
    NetconvError(
      .usage,
      "there is no layer \(quoted(layer)) to replace" + didYouMean(layer, among: layers)
        + (replaceable.isEmpty ? "; netconv reads all layers" : ""),
      details: replaceable.isEmpty
        ? [] : ["these can be replaced:"] + replaceable.map { quoted($0) })
  }

  fileprivate static func replacesKnownLayer(_ layer: String, _ className: String) -> NetconvError {
    NetconvError(
      .usage,
      "the layer \(quoted(layer)) is a \(escaped(className)), which netconv knows; only a Lambda, a custom "
        + "layer or an unsupported layer can be replaced")
  }

  fileprivate static func replacesOneOutput(_ layer: String) -> NetconvError {
    NetconvError(
      .usage,
      "the layer \(quoted(layer)) returns several values, but an operator returns one; it cannot be replaced"
    )
  }
}
