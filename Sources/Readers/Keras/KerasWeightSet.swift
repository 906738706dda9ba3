import Documents
import ModelIR

/// The weights of a file whose graph cannot be read, interpreted by their layers' classes and their names.
struct KerasWeightSet {
  /// The weights of a layer or a nested layer.
  private struct Group {
    let leaf: KerasLeaf?
    /// The nested layers inside the leaf, down to this layer.
    var inside: [String]
    var weights: [KerasFoundWeight] = []

    /// True if the weights belong to the listed layer itself.
    var isOwn: Bool { leaf != nil && inside.isEmpty }
    var path: [String] { (leaf?.path ?? []) + inside }
  }

  /// The layers of the configuration.
  let layers: [KerasLayerTree]
  /// The major version of Keras that wrote the model.
  let kerasVersion: Int
  private let modelName: String?
  private let leaves: [KerasLeaf]

  /// Reads the layers of the configuration, if there is one.
  init(config: JSONValue?, version: String?) {
    let modern = config.map { KerasArchitecture.modern($0, version: version) }
    kerasVersion = modern?.kerasVersion ?? KerasArchitecture.major(version) ?? 2
    layers = modern.flatMap { KerasLayerTree.layers(of: $0.config, $0.kerasVersion) } ?? []
    leaves = KerasLeaf.all(in: layers)
    modelName = config?["config"]?["name"]?.string ?? config?["name"]?.string
  }

  /// Returns every weight that `source` lists, starting with those of the configuration's layers in its order.
  ///
  /// - Returns: The weights, remarks for the user, and errors about weights that are missing or invalid.
  func weights(
    from source: some KerasWeightListing
  ) throws(NetconvError) -> (weights: Weights, notes: [SourceNote], misfits: [NetconvError]) {
    var byPath: [[String]: Group] = [:]
    var order: [[String]] = []
    for leaf in leaves where byPath[leaf.path] == nil {
      byPath[leaf.path] = Group(leaf: leaf, inside: [])
    }
    let found = source.allWeights(of: leaves)
    for weight in found.weights {
      let group = Group(leaf: weight.leaf, inside: weight.inside)
      if byPath[group.path] == nil { order.append(group.path) }
      byPath[group.path, default: group].weights.append(weight)
    }
    let insideLeaves = Dictionary(grouping: order) { byPath[$0]?.leaf?.path ?? [] }
    var listed: Set<[String]> = []
    let groups = leaves.flatMap { leaf -> [Group] in
      guard listed.insert(leaf.path).inserted, let own = byPath[leaf.path] else { return [] }
      let inner = (insideLeaves[leaf.path] ?? []).compactMap { byPath[$0] }
      // All weights of a recurrent layer belong to its cell.
      if own.weights.isEmpty, inner.count == 1 {
        return [Group(leaf: leaf, inside: [], weights: inner[0].weights)]
      }
      return [own] + inner
    }
    var misfits = found.misfits
    let result = try weights(
      groups + (insideLeaves[[]] ?? []).compactMap { byPath[$0] },
      of: modelName ?? source.modelName ?? "model", isOfTheano: source.isOfTheano, &misfits)
    return (result, notes(on: groups, holdsLoRA: source.holdsLoRA), misfits)
  }

  /// Remarks about merged LoRA weights and quantised values.
  private func notes(on groups: [Group], holdsLoRA: Bool) -> [SourceNote] {
    let own = groups.filter(\.isOwn)
    let layers = own.compactMap { group in
      group.leaf.map { (name: $0.name, config: $0.config) }
    }
    let formulas = own.compactMap { group -> (name: String, mode: String, text: String)? in
      guard let leaf = group.leaf, let quantization = leaf.config.quantization,
        let text = leaf.config.quantizationNote(
          of: group.weights.map { (name: $0.name, stored: $0.stored) })
      else { return nil }
      return (leaf.name, quantization.mode, text)
    }
    let plain = layers.filter { $0.config.quantization == nil }
    return [
      holdsLoRA ? SourceNote.lora(of: plain) : nil, SourceNote.quantised(formulas),
    ].compactMap { $0 }
  }

  private func weights(
    _ groups: [Group], of modelName: String, isOfTheano: Bool, _ misfits: inout [NetconvError]
  ) throws(NetconvError) -> Weights {
    // A duplicate of `x` becomes `x:1`, as for the second call of a layer.
    var names = UniqueNames(separator: ":", from: 1)
    var layers: [LayerWeights] = []
    for group in groups {
      let name = names.next(group.path.isEmpty ? modelName : group.path.joined(separator: "/"))
      do throws(NetconvError) {
        layers.append(
          LayerWeights(
            name: name,
            origin: group.isOwn
              ? group.leaf.map { LayerOrigin(className: $0.config.statedClass) } : nil,
            parameters: try tensors(of: group, in: name, isOfTheano: isOfTheano, &misfits)))
      } catch {
        throw error.inLayer(name)
      }
    }
    return try Weights(name: modelName, layers: layers)
  }

  private func tensors(
    of group: Group, in layer: String, isOfTheano: Bool, _ misfits: inout [NetconvError]
  ) throws(NetconvError) -> [Tensor] {
    // The class of the outer layer does not determine the weights of a nested layer.
    let isOwn = group.isOwn && group.weights.allSatisfy { $0.inside.isEmpty }
    let config = isOwn ? group.leaf?.config : nil
    var found = group.weights.map { (name: $0.name, stored: $0.stored) }
    if let config, KerasRecurrent.stateCount(of: config.className) != nil {
      found = KerasRecurrent.arranged(found, of: config)
    }
    let weights: [(name: String, stored: StoredTensor)]
    if let config {
      weights = config.unpackingIntegers(of: try config.addingLoRA(found))
    } else {
      weights = found
    }
    let known = config.flatMap { layer in
      KerasLayers.parameters(of: layer, weights.map { ($0.name, $0.stored.asVector.shape ?? []) })
    }
    var roles = UniqueNames(separator: ":", from: 1)
    var tensors: [Tensor] = []
    for (index, weight) in weights.enumerated() {
      do throws(NetconvError) {
        let spec: ParameterSpec
        var stored = weight.stored
        if let own = known?[index] {
          spec = own
          stored = stored.asVector
          if let config, own.role == .kernel {
            do {
              stored = try config.kernel(stored, isOfTheano: isOfTheano)
            } catch {
              misfits.append(error.inTensor(weight.stored.path).inLayer(layer))
            }
          }
        } else {
          spec = try ParameterSpec(
            KerasWeight.role(named: weight.name), shape: weight.stored.shape ?? [])
        }
        let role = ParameterRole(rawValue: roles.next(spec.role.rawValue))
        tensors.append(
          try Tensor(
            layer: layer,
            spec: ParameterSpec(
              role, spec.kind, spec.layout, spec.sizes, featureAxis: spec.featureAxis),
            stored: stored))
      } catch {
        throw error.inTensor(weight.stored.path)
      }
    }
    return tensors
  }
}
