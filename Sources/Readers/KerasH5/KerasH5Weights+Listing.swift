import HDF5
import ModelIR

extension KerasH5Weights: KerasWeightListing {
  /// The group for weights of the model itself.
  private static let modelGroup = "top_level_model_weights"

  var modelName: String? { nil }

  func allWeights(of leaves: [KerasLeaf]) -> KerasFoundWeights {
    let leavesByGroup = Dictionary(grouping: leaves) { otherGroups[$0.path[0]] ?? $0.path[0] }
    var found = KerasFoundWeights()
    for group in groupNames + [Self.modelGroup] {
      let path = groupPath(group)
      guard file[path] != nil else {
        if group != Self.modelGroup { found.add(.missingGroup(group).inLayer(group)) }
        continue
      }
      do {
        for weight in try file.splitStrings("weight_names", at: path) {
          found.add(Self.path(of: weight, in: path), in: group) { () throws(NetconvError) in
            try self.found(weight, in: group, path, leavesByGroup[group] ?? [])
          }
        }
      } catch {
        found.add(error.inLayer(group))
      }
    }
    addUnlisted(to: &found, leavesByGroup)
    return found
  }

  /// Adds the arrays of layers that no attribute lists.
  private func addUnlisted(
    to found: inout KerasFoundWeights, _ leavesByGroup: [String: [KerasLeaf]]
  ) {
    let start = root == "/" ? "/" : root + "/"
    for entry in file.datasets where entry.path.hasPrefix(start) && !found.knows(entry.path) {
      let names = entry.path.dropFirst(start.count).split(separator: "/").map(String.init)
      guard let group = names.first, names.count > 1, !Self.groupsOfOptimizers.contains(group)
      else {
        continue
      }
      found.addUnlisted(entry.path, by: "weight_names") { () throws(NetconvError) in
        try self.found(
          names.dropFirst().joined(separator: "/"), in: group, groupPath(group),
          leavesByGroup[group] ?? [])
      }
    }
  }

  /// The groups that are not layers, in a file with weights at the root.
  private static let groupsOfOptimizers: Set<String> = ["optimizer_weights", "optimizer"]

  private func found(
    _ weight: String, in group: String, _ path: String, _ leaves: [KerasLeaf]
  ) throws(NetconvError) -> KerasFoundWeight {
    let owners = weight.split(separator: "/").dropLast().map(String.init)
    var match = Self.leaf(of: owners, in: group, leaves)
    if let variable = bound[group]?.first(where: { $0.weight == weight })?.variable,
      let leaf = leaves.first(where: { variable.layer.starts(with: $0.path) }),
      leaf.path != match.leaf?.path || !variable.parts.isEmpty
    {
      match = (leaf, variable.layer.dropFirst(leaf.path.count) + variable.parts)
    }
    let dataset = try dataset(weight, in: path, match.leaf?.config.opaqueType)
    return KerasFoundWeight(
      leaf: match.leaf, inside: match.inside, name: Self.shortName(weight),
      stored: StoredTensor(
        source: dataset, layout: nil, shape: dataset.shape, path: dataset.path))
  }

  /// Returns the layer whose path occurs in `owners`, with or without the enclosing models.
  ///
  /// Keras writes `net/block/norm/gamma:0` for a layer in the layer `block`, and `conv/kernel:0` for a layer in a
  /// model.
  private static func leaf(
    of owners: [String], in group: String, _ leaves: [KerasLeaf]
  ) -> (leaf: KerasLeaf?, inside: [String]) {
    let isLayer = leaves.count == 1 && leaves[0].path.count == 1
    var best: (leaf: KerasLeaf, inside: [String], matched: Int)?
    var isAmbiguous = false
    for leaf in leaves {
      let names = leaf.path.flatMap { $0.split(separator: "/").map(String.init) }
      guard let end = owners.indices.last(where: { owners[$0] == names.last }) else { continue }
      let matched = zip(owners[...end].reversed(), names.reversed()).prefix { $0 == $1 }.count
      if let best, best.matched >= matched {
        isAmbiguous = isAmbiguous || best.matched == matched
      } else {
        best = (leaf, Array(owners[(end + 1)...]), matched)
        isAmbiguous = false
      }
    }
    if let best, !isAmbiguous { return (best.leaf, best.inside) }
    if isLayer { return (leaves[0], owners) }
    // Without a configuration, the group is the layer or model that contains its weights.
    let names = group.split(separator: "/").map(String.init)
    let end = owners.indices.last { owners[...$0].suffix(names.count) == names[...] }
    return (nil, [group] + owners[(end.map { $0 + 1 } ?? 0)...])
  }
}

extension NetconvError {
  fileprivate static func missingGroup(_ name: String) -> NetconvError {
    NetconvError(
      .badData, "layer_names lists \(quoted(name)), but there is no such group; the file is damaged"
    )
  }
}
