import Files
import HDF5
import ModelIR

/// The weights of a checkpoint: one group per layer, with an attribute `weight_names` that lists its datasets.
struct KerasH5Weights: KerasWeightSource {
  let file: HDF5File
  let root: String
  /// The layer groups, in the order of the model.
  let groupNames: [String]
  private let layerNames: Set<String>
  private let groups = KnownGroups()
  /// The version of Keras that wrote the weights, if stated.
  let kerasVersion: String?
  /// True if Keras 1 wrote the model: its weights are identified by their order, since names such as
  /// `convolution2d_1_W` have no path.
  private(set) var isOfKeras1 = false
  private(set) var isOfTheano = false
  /// Keras stores all variables unmodified.
  var holdsLoRA: Bool { true }
  /// The groups of layers that have a different name in the file.
  private(set) var otherGroups: [String: String] = [:]
  /// The variables of groups with several layers, where only their order identifies the layer.
  private(set) var bound: [String: [(weight: String, variable: KerasVariableOrder.Variable)]] = [:]
  /// The groups in which names of weights contradict their order.
  private(set) var contradicted: [String] = []

  /// Locates the weights at `/model_weights`, or at the root of a weights-only file.
  ///
  /// - Throws: `badData` if an attribute has the wrong type.
  init(_ file: HDF5File) throws(NetconvError) {
    self.file = file
    root = file["/model_weights"] == nil ? "/" : "/model_weights"
    groupNames = try file.splitStrings("layer_names", at: root)
    layerNames = Set(groupNames)
    kerasVersion = try file.string("keras_version", at: root)
  }

  /// Sets the version of Keras that wrote the model, and assigns the weights to layers.
  ///
  /// - Parameter layers: The layers of the model, in order; empty if unknown.
  /// - Throws: `badData` if an attribute has the wrong type.
  mutating func settle(kerasVersion: Int, layers: [KerasLayerTree]) throws(NetconvError) {
    isOfKeras1 = kerasVersion == 1
    var backend = try file.string("backend", at: root)
    if backend == nil { backend = try file.string("backend", at: "/") }
    if let backend {
      isOfTheano = backend == "theano"
    } else if isOfKeras1 {
      isOfTheano = try hasBareNames()
    }
    // Keras 1 had different numbers of variables per layer.
    if !isOfKeras1 { try bind(layers) }
  }

  /// Assigns the weights as Keras does: by the order of the layers, and the order of the variables in each.
  private mutating func bind(_ layers: [KerasLayerTree]) throws(NetconvError) {
    var orders: [(layer: KerasLayerTree, order: KerasVariableOrder)] = []
    for layer in layers {
      guard let order = try? KerasVariableOrder(of: layer) else { continue }
      if !order.variables.isEmpty { orders.append((layer, order)) }
    }
    var listed: [String: [String]] = [:]
    for group in groupNames { listed[group] = try listedNames(in: groupPath(group)) }
    let filled = groupNames.filter { listed[$0]?.isEmpty == false }
    // Layers are matched by name, unless all names are those of another model with the same structure.
    let names = orders.map(\.layer.config.name)
    if filled.count == orders.count, Set(filled) != Set(names),
      zip(filled, orders).allSatisfy({ $1.order.fits(listed[$0] ?? []) })
    {
      for (group, name) in zip(filled, names) where group != name { otherGroups[name] = group }
    }
    for (layer, order) in orders {
      let group = otherGroups[layer.config.name] ?? layer.config.name
      bind(listed[group] ?? [], in: group, to: layer, order)
    }
  }

  /// Assigns a group's weights to variables, if their order can be that of `layer`.
  private mutating func bind(
    _ names: [String], in group: String, to layer: KerasLayerTree, _ order: KerasVariableOrder
  ) {
    // In the group of a single layer, names of weights are unique.
    guard order.variables.contains(where: { $0.path != [layer.config.name] }), order.fits(names)
    else { return }
    var order = order
    if order.isContradicted(by: names) {
      // An untrainable model with partly trainable layers was saved in a different order than the one it is loaded
      // in.
      if let other = try? KerasVariableOrder(of: layer, trainsModels: false), other.fits(names),
        !other.isContradicted(by: names)
      {
        order = other
      } else {
        contradicted.append(group)
      }
    }
    bound[group] = Array(zip(names, order.variables))
  }

  private func listedNames(in group: String) throws(NetconvError) -> [String] {
    try groups.names(in: group) { () throws(NetconvError) in
      try file.splitStrings("weight_names", at: group)
    }.all
  }

  /// Returns the group of a top-level layer.
  private func group(of path: [String]) -> String? {
    guard let name = path.first else { return nil }
    let group = otherGroups[name] ?? name
    return layerNames.contains(group) ? group : nil
  }

  /// Returns true if the weights have Theano's variable names.
  ///
  /// Keras has stored the backend since 2.0. In older files only names differ: TensorFlow's variable names end in
  /// `:0`, Theano's do not.
  private func hasBareNames() throws(NetconvError) -> Bool {
    for layer in layerNames.sorted() {
      if let name = try file.splitStrings("weight_names", at: groupPath(layer)).first {
        return !name.hasSuffix(":0")
      }
    }
    return false
  }

  /// True if the file lists no layers.
  var isEmpty: Bool { layerNames.isEmpty }

  /// The number of layers that the file lists.
  var layerCount: Int { layerNames.count }

  func weights(
    of place: KerasWeightPlace, expected: [KerasWeight], opaqueType: ElementType?
  ) throws(NetconvError) -> [(name: String, stored: StoredTensor)] {
    let path = place.path
    guard let group = group(of: path) else { return [] }
    let groupPath = groupPath(group)
    if let bound = bound[group] {
      let variablePath = path + place.parts.filter { !$0.isView }.map(\.name)
      var weights: [(name: String, stored: StoredTensor)] = []
      for (weight, variable) in bound where variable.path == variablePath {
        let dataset = try dataset(weight, in: groupPath, opaqueType)
        weights.append(
          (
            Self.shortName(weight),
            StoredTensor(source: dataset, layout: nil, shape: dataset.shape, path: dataset.path)
          ))
      }
      return weights
    }
    var names = try names(
      in: groupPath, of: path, inside: place.isRecurrent || place.parts.contains { !$0.isView })
    // The group of a layer lists all of its weights; the group of a model lists them by layer.
    if let wrapped = place.wrapped, path.count > 1 {
      names = try self.names(in: groupPath, of: path + [wrapped], inside: false) + names
    }
    for part in place.parts where part.match != nil {
      // In Keras 1, everything before the weight's own name is a single word.
      names = names.filter {
        part.holds(isOfKeras1 ? [$0[...]] : $0.split(separator: "/").dropLast())
      }
    }
    var weights: [(name: String, stored: StoredTensor)] = []
    for (index, weight) in names.enumerated() {
      let dataset = try dataset(weight, in: groupPath, opaqueType)
      weights.append(
        (
          isOfKeras1 && index < expected.count ? expected[index].name : Self.shortName(weight),
          StoredTensor(source: dataset, layout: nil, shape: dataset.shape, path: dataset.path)
        ))
    }
    return weights
  }

  func arrays(below path: [String]) throws(NetconvError) -> [String] {
    guard let group = group(of: path) else { return [] }
    if let bound = bound[group] {
      return bound.filter { $0.variable.layer.starts(with: path) }.map(\.weight)
    }
    let known = try groups.names(in: groupPath(group)) { () throws(NetconvError) in
      try file.splitStrings("weight_names", at: groupPath(group))
    }
    guard path.count > 1, let name = path.last else { return known.all }
    if isOfKeras1 { return known.all.filter { $0.hasPrefix(name + "_") } }
    let own = name.split(separator: "/").map(String.init)
    return known.byLayer.values.joined().filter { weight in
      weight.owners.indices.contains { weight.owners[$0...].starts(with: own) }
    }.map(\.name).sorted()
  }

  /// Returns the names of a layer's weights; the group of a model contains those of all its layers.
  ///
  /// Within a model, a name ends in `LAYER/WEIGHT`, with or without the models that enclose the layer.
  /// - Parameter isInside: True if the weights belong to a layer nested in the layer.
  private func names(
    in group: String, of path: [String], inside isInside: Bool
  ) throws(NetconvError) -> [String] {
    let known = try groups.names(in: group) { () throws(NetconvError) in
      try file.splitStrings("weight_names", at: group)
    }
    guard path.count > 1, let name = path.last else { return known.all }
    // The name of a layer may itself contain slashes.
    let layer = name.split(separator: "/").last.map(String.init) ?? name
    if isOfKeras1 { return known.all.filter { Self.isKeras1Name($0, of: name) } }
    let parts = path.flatMap { $0.split(separator: "/").map(String.init) }
    let own = name.split(separator: "/").map(String.init)
    let found =
      isInside
      ? known.upToLayer(own)
      : (known.byLayer[layer] ?? []).filter { $0.owners.suffix(own.count) == own[...] }
    guard Set(found.map(\.owners)).count > 1 else { return found.map(\.name) }
    // Keras 3 omits the outermost model, since the group is named after it.
    let outer = path[0].split(separator: "/").count
    let exact = found.filter {
      $0.owners.suffix(parts.count) == parts[...] || $0.owners == Array(parts.dropFirst(outer))
    }
    guard !exact.isEmpty else { throw .ambiguousWeights(path[0]) }
    return exact.map(\.name)
  }

  /// Returns the values of a listed weight; the error for a dangling link differs from that for a missing name.
  func dataset(
    _ weight: String, in path: String, _ opaqueType: ElementType?
  ) throws(NetconvError) -> HDF5Dataset {
    do throws(NetconvError) {
      return try file.dataset(at: Self.path(of: weight, in: path), opaqueType: opaqueType)
    } catch {
      let whole = Self.path(of: weight, in: path)
      guard case .group(let parent) = file[Directory.parent(of: whole)],
        parent.links.contains(where: { $0.name == Directory.lastComponent(of: weight) })
      else { throw .missingDataset(weight) }
      throw error
    }
  }

  func groupPath(_ group: String) -> String { Self.path(of: group, in: root) }

  /// Returns the path of an object in a group by h5py's rules: names may be absolute, and repeated slashes count as
  /// one.
  static func path(of name: String, in group: String) -> String {
    let full = name.hasPrefix("/") ? name : group + "/" + name
    return "/" + full.split(separator: "/").joined(separator: "/")
  }

  /// Returns true if `name` is `LAYER_WEIGHT`, with or without `:0`.
  private static func isKeras1Name(_ name: String, of layer: String) -> Bool {
    name.hasPrefix(layer + "_")
      && keras1Weights.contains(shortName(String(name.dropFirst(layer.count + 1))))
  }

  /// Source: Keras 1.2.2, `build` of the layers.
  private static let keras1Weights: Set<String> = {
    let gates = ["i", "c", "f", "o", "z", "r", "h"]
    return Set(
      [
        "W", "U", "b", "gamma", "beta", "running_mean", "running_std", "alphas",
        "depthwise_kernel", "pointwise_kernel",
      ] + ["W", "U", "b"].flatMap { name in gates.map { "\(name)_\($0)" } })
  }()

  /// Returns the short name of a weight: `kernel` for `conv1/kernel:0`.
  static func shortName(_ name: String) -> String {
    let last = name.split(separator: "/").last ?? name[...]
    return String(last.hasSuffix(":0") ? last.dropLast(2) : last)
  }
}

/// A cache of the weight names in groups, since all layers of a nested model search the same list.
private final class KnownGroups {
  struct Names {
    /// All names, in file order.
    let all: [String]
    /// The names by the component before the last, each with all components before the last.
    let byLayer: [String: [(name: String, owners: [String])]]

    /// Returns the weights inside a layer, with the components of their names up to the layer.
    func upToLayer(_ own: [String]) -> [(name: String, owners: [String])] {
      all.compactMap { name in
        let owners = name.split(separator: "/").dropLast().map(String.init)
        guard let start = owners.indices.last(where: { owners[$0...].starts(with: own) }) else {
          return nil
        }
        return (name, Array(owners[..<(start + own.count)]))
      }
    }
  }

  private var groups: [String: Names] = [:]

  func names(
    in group: String, read: () throws(NetconvError) -> [String]
  ) throws(NetconvError) -> Names {
    if let known = groups[group] { return known }
    let all = try read()
    let owned = all.map { name in
      (name: name, owners: name.split(separator: "/").dropLast().map(String.init))
    }
    let names = Names(
      all: all, byLayer: Dictionary(grouping: owned) { $0.owners.last ?? "" })
    groups[group] = names
    return names
  }
}

extension HDF5File {
  /// Returns a list of strings; Keras splits lists that exceed HDF5's limit into `name0`, `name1`, ….
  func splitStrings(_ name: String, at path: String) throws(NetconvError) -> [String] {
    if let whole = try strings(name, at: path) { return whole }
    var all: [String] = []
    var index = 0
    while let part = try strings("\(name)\(index)", at: path) {
      all += part
      index += 1
    }
    return all
  }
}

extension NetconvError {
  fileprivate static func missingDataset(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "weight_names lists \(quoted(name)), but there is no such dataset; the file is damaged, so save the model again"
    )
  }
}
