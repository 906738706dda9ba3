import HDF5
import ModelIR

/// The weights as Keras 3's own format holds them: `layers/conv2d_1/vars/0`.
///
/// A layer's group is called after its class, with a number after the first; newer releases also note the
/// layer's name at `vars`. The weights of a layer are numbered in the order in which it makes them.
///
/// Source: keras/src/saving/saving_lib.py, `_save_container_state`.
struct KerasPathWeights: KerasWeightSource {
  let files: KerasWeightFiles
  /// How the files name groups.
  let names: KerasGroups
  /// The group of each layer, by the layer's path in the model.
  let groups: [[String]: String]
  /// Keras 3, whose format this is, has no Theano.
  var isOfTheano: Bool { false }
  /// Keras adds them to the kernels that it writes.
  var holdsLoRA: Bool { false }

  /// What a layer calls the only one in it.
  static let wrapped = "layer"

  /// Finds the groups of `layers`.
  init(_ files: KerasWeightFiles, of layers: [KerasLayerTree]) {
    self.files = files
    names = KerasGroups(files)
    var groups: [[String]: String] = [:]
    Self.collect(names, layers, at: "/" + names.container, path: [], into: &groups)
    self.groups = groups
  }

  /// Whether a file is laid out like this.
  static func recognizes(_ file: HDF5File) -> Bool {
    file["/layers"]?.group != nil || file["/vars"]?.group != nil
  }

  func weights(
    of place: KerasWeightPlace, expected: [KerasWeight], opaqueType: ElementType?
  ) throws(NetconvError) -> [(name: String, stored: StoredTensor)] {
    guard var group = groups[place.path] else { return [] }
    group += place.parts.map { "/" + $0.group }.joined()
    // The parts of a layer of cells are the cells.
    if place.isRecurrent, !place.parts.contains(where: { $0.group.hasPrefix("cell") }) {
      group += "/cell"
    }
    let weightNames = expected.map(\.name)
    guard place.wrapped != nil else { return try values(in: group, weightNames, opaqueType) }
    // A wrapper lists the kernel of the layer in it once more, before what it needs to train.
    let own = try values(in: group, [], opaqueType)
    return try values(in: group + "/" + Self.wrapped, weightNames.dropLast(), opaqueType)
      + own.suffix(own.count > 2 ? own.count : 1).map { (weightNames.last ?? $0.name, $0.stored) }
  }

  /// The values in a layer's group, called `names` as far as these go.
  private func values(
    in group: String, _ weightNames: [String], _ opaqueType: ElementType?
  ) throws(NetconvError) -> [(name: String, stored: StoredTensor)] {
    var weights: [(name: String, stored: StoredTensor)] = []
    while let array = files.array(at: names.path(of: "vars/\(weights.count)", in: group)) {
      let name =
        weights.count < weightNames.count ? weightNames[weights.count] : "vars/\(weights.count)"
      weights.append((name, try array.stored(opaqueType: opaqueType)))
    }
    return weights
  }

  func arrays(below path: [String]) throws(NetconvError) -> [String] {
    guard let group = groups[path] else { return [] }
    let start = names.slashed(group) + "/"
    return files.arrays.map(\.path).filter {
      names.slashed($0).hasPrefix(start) && !Self.isOtherState(names.slashed($0))
    }
  }

  private static func collect(
    _ names: KerasGroups, _ layers: [KerasLayerTree], at container: String, path: [String],
    into groups: inout [[String]: String]
  ) {
    let named = groupsByLayerName(names, container)
    let numbered = names.skipsNumbers ? names.numbered(in: container) : [:]
    let counts = Dictionary(layers.map { ($0.config.groupName, 1) }, uniquingKeysWith: +)
    var used: [String: Int] = [:]
    for layer in layers {
      let base = layer.config.groupName
      let number = used[base, default: 0]
      used[base] = number + 1
      let group: String
      if names.skipsNumbers {
        // Each layer has a group; if one is gone, nobody knows whose the others are.
        guard let there = numbered[base], there.count == counts[base] else { continue }
        group = there[number]
      } else {
        group = named[layer.config.name] ?? "\(container)/\(base)\(number == 0 ? "" : "_\(number)")"
      }
      groups[path + [layer.config.name]] = group
      if let inner = layer.inner {
        let isDistributed = layer.config.className == KerasTimeDistributed.className
        collect(
          names, inner, at: group + (isDistributed ? "/layer/" : "/") + names.container,
          path: path + [layer.config.name], into: &groups)
      }
    }
  }

  /// The groups of a container whose `vars` note the name of their layer.
  private static func groupsByLayerName(
    _ names: KerasGroups, _ container: String
  ) -> [String: String] {
    var groups: [String: String] = [:]
    for group in names.groups(in: container) {
      guard let name = names.files.string("name", at: names.path(of: "vars", in: group)) else {
        continue
      }
      groups[name] = group
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

extension KerasLayerConfig {
  /// What the format calls groups of the layer's class, but for a number.
  fileprivate var groupName: String { KerasPathWeights.snakeCase(bareClass) }
}
