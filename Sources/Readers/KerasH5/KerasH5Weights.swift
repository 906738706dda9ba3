import Files
import HDF5
import ModelIR

/// The weights of a checkpoint: a group per layer, whose attribute `weight_names` lists its datasets.
struct KerasH5Weights: KerasWeightSource {
  private let file: HDF5File
  private let root: String
  private let layerNames: Set<String>
  /// The version of Keras that wrote the weights, if the file says so.
  let kerasVersion: String?

  /// Finds the weights under `/model_weights`, or at the root of a file of weights only.
  ///
  /// - Throws: `badData` if an attribute has the wrong type.
  init(_ file: HDF5File) throws(NetconvError) {
    self.file = file
    root = file["/model_weights"] == nil ? "/" : "/model_weights"
    layerNames = Set(try file.splitStrings("layer_names", at: root))
    kerasVersion = try file.string("keras_version", at: root)
  }

  /// Whether the file lists no layers.
  var isEmpty: Bool { layerNames.isEmpty }

  /// How many layers the file lists.
  var layerCount: Int { layerNames.count }

  func weights(
    of path: [String], expected: [KerasWeight]
  ) throws(NetconvError) -> [(name: String, stored: StoredTensor)] {
    guard let group = path.first, layerNames.contains(group) else { return [] }
    let groupPath = (root == "/" ? "" : root) + "/" + group
    var weights: [(name: String, stored: StoredTensor)] = []
    for weight in try names(in: groupPath, of: path) {
      let dataset = try dataset(weight, in: groupPath)
      weights.append(
        (
          Self.shortName(weight),
          StoredTensor(source: dataset, layout: nil, shape: dataset.shape, path: dataset.path)
        ))
    }
    return weights
  }

  /// The names of a layer's weights; a group of a model holds those of all its layers.
  ///
  /// Inside a model a name ends in `LAYER/WEIGHT`, with or without the models around the layer.
  private func names(in group: String, of path: [String]) throws(NetconvError) -> [String] {
    let all = try file.splitStrings("weight_names", at: group)
    guard path.count > 1, let layer = path.last else { return all }
    let names = all.filter { name in
      let owners = name.split(separator: "/").dropLast().map(String.init)
      return owners.last == layer
    }
    guard Set(names.map { $0.split(separator: "/").dropLast() }).count > 1 else { return names }
    let exact = names.filter { name in
      name.split(separator: "/").dropLast().map(String.init).suffix(path.count) == path[...]
    }
    guard !exact.isEmpty else { throw .ambiguousWeights(path[0]) }
    return exact
  }

  /// The values that `weight_names` lists; a link that leads nowhere is told from a missing name.
  private func dataset(
    _ weight: String, in path: String
  ) throws(NetconvError) -> HDF5Dataset {
    do throws(NetconvError) {
      return try file.dataset(at: path + "/" + weight)
    } catch {
      guard case .group(let parent) = file[path + "/" + Directory.parent(of: weight)],
        parent.links.contains(where: { $0.name == Directory.lastComponent(of: weight) })
      else { throw .missingDataset(weight) }
      throw error
    }
  }

  /// `kernel` of `conv1/kernel:0`.
  private static func shortName(_ name: String) -> String {
    let last = name.split(separator: "/").last ?? name[...]
    return String(last.hasSuffix(":0") ? last.dropLast(2) : last)
  }
}

extension HDF5File {
  /// A list of strings; Keras splits one that HDF5 would refuse into `name0`, `name1`, ….
  fileprivate func splitStrings(_ name: String, at path: String) throws(NetconvError) -> [String] {
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
