import Files
import HDF5
import ModelIR

extension KerasPathWeights: KerasWeightListing {
  /// State that Keras saves besides the model: groups at the root, and the seeds of random layers.
  private static let otherState: Set<String> = ["optimizer", "metrics"]
  private static let randomState = "seed_generator"

  var modelName: String? { files.string("name", at: "/vars") }

  /// Returns true if a path belongs to state other than weights.
  static func isOtherState(_ path: String) -> Bool {
    let names = path.split(separator: "/").map(String.init)
    return names.first.map(otherState.contains) ?? true || names.contains(randomState)
  }

  /// Returns the number of arrays in a file that are not weights.
  static func otherStateCount(in file: HDF5File) -> Int {
    file.datasets.count {
      isOtherState($0.path) || $0.path.split(separator: "/").first == "optimizer_weights"
    }
  }

  func allWeights(of leaves: [KerasLeaf]) -> KerasFoundWeights {
    var leavesByGroup: [String: KerasLeaf] = [:]
    for leaf in leaves { leavesByGroup[groups[leaf.path] ?? ""] = leaf }
    var found = KerasFoundWeights()
    for group in files.groups {
      guard let owners = Self.owners(of: names.slashed(group)) else { continue }
      let match = leaf(of: owners, leavesByGroup)
      if let leaf = match.leaf, leaf.config.wrapped != nil {
        // The weights of a wrapped layer are listed with those of its wrapper.
        if match.inside.isEmpty { addWrapped(of: leaf, to: &found) }
        continue
      }
      let ownNames = match.inside.isEmpty ? match.leaf?.config.numberedNames ?? [] : []
      var index = 0
      while let array = files.array(at: group + "/\(index)") {
        let name = index < ownNames.count ? ownNames[index] : "vars/\(index)"
        found.add(array.path, in: owners.last) { () throws(NetconvError) in
          try weight(array, name, match.leaf, match.inside)
        }
        index += 1
      }
    }
    for array in files.arrays
    where !found.knows(array.path)
      && !Self.isOtherState(names.slashed(array.path))
    {
      let owners = names.slashed(array.path).split(separator: "/").dropLast().map(String.init)
      let match = leaf(of: owners.last == "vars" ? owners.dropLast() : owners, leavesByGroup)
      guard match.leaf?.config.wrapped == nil else { continue }
      found.addUnlisted(array.path, by: "no layer") { () throws(NetconvError) in
        try weight(array, Directory.lastComponent(of: array.path), match.leaf, match.inside)
      }
    }
    return found
  }

  private func weight(
    _ array: KerasWeightFiles.Array, _ name: String, _ leaf: KerasLeaf?, _ inside: [String]
  ) throws(NetconvError) -> KerasFoundWeight {
    KerasFoundWeight(
      leaf: leaf, inside: inside, name: name,
      stored: try array.stored(opaqueType: leaf?.config.opaqueType))
  }

  /// Adds the weights of a wrapper and of its wrapped layer.
  private func addWrapped(of leaf: KerasLeaf, to found: inout KerasFoundWeights) {
    let expected = (try? leaf.config.allWeights()) ?? []
    do {
      let weights = try weights(
        of: KerasWeightPlace(
          path: leaf.path, wrapped: leaf.config.wrapped, parts: [], isRecurrent: false),
        expected: expected, opaqueType: leaf.config.opaqueType)
      for (name, stored) in weights {
        found.add(stored.path, in: leaf.name) {
          KerasFoundWeight(leaf: leaf, inside: [], name: name, stored: stored)
        }
      }
    } catch {
      found.add(error.inLayer(leaf.name))
    }
  }

  /// Returns the groups that contain the `vars` group at `path`; `nil` if `path` is not such a group of the model.
  private static func owners(of path: String) -> [String]? {
    let names = path.split(separator: "/").map(String.init)
    guard names.last == "vars", !otherState.contains(names[0]), !names.contains(randomState) else {
      return nil
    }
    return names.dropLast()
  }

  /// Returns the layer that `owners` lead to, and the names of the nested layers inside it.
  private func leaf(
    of owners: [String], _ leavesByGroup: [String: KerasLeaf]
  ) -> (leaf: KerasLeaf?, inside: [String]) {
    var inside: [String] = []
    for end in owners.indices.reversed() {
      let group = "/" + owners[...end].joined(separator: "/")
      if let leaf = leavesByGroup[group] { return (leaf, inside) }
      let vars = names.path(of: "vars", in: group)
      let noted = files.string("name", at: vars)
      // The list of a model's layers; unlike a layer, it has no weights group.
      if owners[end] == names.container, !files.holds(vars) { continue }
      inside.insert(noted ?? owners[end], at: 0)
    }
    return (nil, inside)
  }
}
