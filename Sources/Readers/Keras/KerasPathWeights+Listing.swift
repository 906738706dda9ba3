import HDF5
import ModelIR

extension KerasPathWeights: KerasWeightListing {
  /// What Keras saves beside the model: groups at the root, and what random layers draw numbers from.
  private static let otherState: Set<String> = ["optimizer", "metrics"]
  private static let randomState = "seed_generator"

  var modelName: String? { (try? file.string("name", at: "/vars")).flatMap { $0 } }

  func allWeights(of leaves: [KerasLeaf]) throws(NetconvError) -> [KerasFoundWeight] {
    var leavesByGroup: [String: KerasLeaf] = [:]
    for leaf in leaves { leavesByGroup[groups[leaf.path] ?? ""] = leaf }
    var weights: [KerasFoundWeight] = []
    for object in file.objects {
      guard let group = object.group, let owners = Self.owners(of: names.slashed(group.path)) else {
        continue
      }
      let match = leaf(of: owners, leavesByGroup)
      if let leaf = match.leaf, leaf.config.wrapped != nil {
        // Those of the layer in it come with those of the wrapper.
        if match.inside.isEmpty { weights += try wrappedWeights(of: leaf) }
        continue
      }
      let ownNames = match.inside.isEmpty ? match.leaf?.config.numberedNames ?? [] : []
      var index = 0
      while let entry = group["\(index)"]?.dataset {
        // Keras 3 notes the type of values that HDF5 has no type for.
        let noted = try file.string("dtype", at: entry.path).flatMap(ElementType.init)
        let dataset = try file.dataset(entry, opaqueType: noted ?? match.leaf?.config.opaqueType)
        weights.append(
          KerasFoundWeight(
            leaf: match.leaf, inside: match.inside,
            name: index < ownNames.count ? ownNames[index] : "vars/\(index)",
            stored: StoredTensor(
              source: dataset, layout: nil, shape: dataset.shape, path: entry.path)))
        index += 1
      }
    }
    return weights
  }

  /// The weights of a layer in a wrapper, and of the wrapper itself.
  private func wrappedWeights(of leaf: KerasLeaf) throws(NetconvError) -> [KerasFoundWeight] {
    let expected = (try? leaf.config.allWeights()) ?? []
    return try weights(
      of: leaf.path, wrapping: leaf.config.wrapped, expected: expected,
      opaqueType: leaf.config.opaqueType
    ).map { KerasFoundWeight(leaf: leaf, inside: [], name: $0.name, stored: $0.stored) }
  }

  /// The groups that lead to the one called `vars` at `path`; `nil` if `path` is none, or not of the model.
  private static func owners(of path: String) -> [String]? {
    let names = path.split(separator: "/").map(String.init)
    guard names.last == "vars", !otherState.contains(names[0]), !names.contains(randomState) else {
      return nil
    }
    return names.dropLast()
  }

  /// The layer whose group, or one in it, `owners` lead to, and the layers inside by name.
  private func leaf(
    of owners: [String], _ leavesByGroup: [String: KerasLeaf]
  ) -> (leaf: KerasLeaf?, inside: [String]) {
    var inside: [String] = []
    for end in owners.indices.reversed() {
      let group = "/" + owners[...end].joined(separator: "/")
      if let leaf = leavesByGroup[group] { return (leaf, inside) }
      let vars = names.path(of: "vars", in: group)
      let noted = try? file.string("name", at: vars)
      // A model's list of layers; unlike a layer it has no group of weights.
      if owners[end] == names.container, file[vars] == nil { continue }
      inside.insert(noted.flatMap { $0 } ?? owners[end], at: 0)
    }
    return (nil, inside)
  }
}
