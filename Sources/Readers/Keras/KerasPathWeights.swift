import HDF5
import ModelIR

/// The weights as Keras 3's own format holds them: `layers/conv2d_1/vars/0`.
///
/// A layer's group is called after its class, with a number after the first; newer releases also note the
/// layer's name at `vars`. The weights of a layer are numbered in the order in which it makes them.
///
/// Source: keras/src/saving/saving_lib.py, `_save_container_state`.
struct KerasPathWeights: KerasWeightSource {
  let file: HDF5File
  /// The group of each layer, by the layer's path in the model.
  let groups: [[String]: String]
  /// Keras 3, whose format this is, has no Theano.
  var isOfTheano: Bool { false }

  /// Finds the groups of all layers of a model.
  init(_ file: HDF5File, of model: KerasModelConfig) {
    self.init(file, of: model.layers.map(KerasLayerTree.init))
  }

  /// Finds the groups of `layers`.
  init(_ file: HDF5File, of layers: [KerasLayerTree]) {
    self.file = file
    var groups: [[String]: String] = [:]
    Self.collect(file, layers, at: "/layers", path: [], into: &groups)
    self.groups = groups
  }

  /// Whether a file is laid out like this.
  static func recognizes(_ file: HDF5File) -> Bool {
    file["/layers"]?.group != nil || file["/vars"]?.group != nil
  }

  func weights(
    of path: [String], expected: [KerasWeight], opaqueType: ElementType?
  ) throws(NetconvError) -> [(name: String, stored: StoredTensor)] {
    guard let group = groups[path] else { return [] }
    var weights: [(name: String, stored: StoredTensor)] = []
    while let entry = file["\(group)/vars/\(weights.count)"]?.dataset {
      // Keras 3 notes the type of values that HDF5 has no type for.
      let noted = try file.string("dtype", at: entry.path).flatMap(ElementType.init)
      let dataset = try file.dataset(entry, opaqueType: noted ?? opaqueType)
      let name =
        weights.count < expected.count ? expected[weights.count].name : "vars/\(weights.count)"
      weights.append(
        (
          name,
          StoredTensor(source: dataset, layout: nil, shape: dataset.shape, path: entry.path)
        ))
    }
    return weights
  }

  private static func collect(
    _ file: HDF5File, _ layers: [KerasLayerTree], at container: String, path: [String],
    into groups: inout [[String]: String]
  ) {
    let named = groupsByLayerName(file, container)
    var used: [String: Int] = [:]
    for layer in layers {
      let base = snakeCase(layer.config.className)
      let number = used[base, default: 0]
      used[base] = number + 1
      let group =
        named[layer.config.name] ?? "\(container)/\(base)\(number == 0 ? "" : "_\(number)")"
      groups[path + [layer.config.name]] = group
      if let inner = layer.inner {
        collect(
          file, inner, at: group + "/layers", path: path + [layer.config.name], into: &groups)
      }
    }
  }

  /// The groups of a container whose `vars` note the name of their layer.
  private static func groupsByLayerName(
    _ file: HDF5File, _ container: String
  ) -> [String: String] {
    var groups: [String: String] = [:]
    for child in file[container]?.group?.children ?? [] {
      guard let name = try? file.string("name", at: child.path + "/vars") else { continue }
      groups[name] = child.path
    }
    return groups
  }

  /// `max_pooling2d` of `MaxPooling2D`.
  ///
  /// Source: keras/src/utils/naming.py, `to_snake_case`: an underscore before each upper-case letter that
  /// lower-case letters follow, and between a lower-case and an upper-case letter.
  static func snakeCase(_ name: String) -> String {
    let letters = Array(name.filter { $0.isLetter || $0.isNumber || $0 == "_" })
    var text = ""
    for (index, letter) in letters.enumerated() {
      if index > 0, letter.isUppercase {
        let startsWord = index + 1 < letters.count && letters[index + 1].isLowercase
        if startsWord || letters[index - 1].isLowercase { text += "_" }
      }
      text += letter.lowercased()
    }
    return text
  }
}
