import HDF5
import ModelIR

/// The weights in the format of Keras 3: `layers/conv2d_1/vars/0`.
///
/// The group of a layer is named after its class, with a number after the first; newer releases also store the
/// layer's name at `vars`. The weights of a layer are numbered in the order of their creation.
///
/// Source: keras/src/saving/saving_lib.py, `_save_container_state`.
struct KerasPathWeights: KerasWeightSource {
  let files: KerasWeightFiles
  /// The groups of the files.
  let names: KerasGroups
  /// The group of each layer by its path in the model.
  let groups: [[String]: String]
  /// Keras 3, the origin of this format, does not support Theano.
  var isOfTheano: Bool { false }
  /// Keras merges LoRA weights into the kernels that it writes.
  var holdsLoRA: Bool { false }

  /// The name of the wrapped layer within its wrapper.
  static let wrapped = "layer"

  /// Locates the groups of `layers`.
  init(_ files: KerasWeightFiles, of layers: [KerasLayerTree]) {
    self.files = files
    names = KerasGroups(files)
    var groups: [[String]: String] = [:]
    Self.collect(names, layers, at: "/" + names.container, path: [], into: &groups)
    self.groups = groups
  }

  /// Returns true if a file has this format.
  static func recognizes(_ file: HDF5File) -> Bool {
    file["/layers"]?.group != nil || file["/vars"]?.group != nil
  }

  func weights(
    of place: KerasWeightPlace, expected: [KerasWeight], opaqueType: ElementType?
  ) throws(NetconvError) -> [(name: String, stored: StoredTensor)] {
    guard var group = groups[place.path] else { return [] }
    for part in place.parts where !part.isView { group = names.group(part.group, in: group) }
    // In a layer of cells, the parts are the cells.
    if place.isRecurrent, !place.parts.contains(where: { $0.group.hasPrefix("cell") }) {
      group += "/cell"
    }
    let weightNames = expected.map(\.name)
    guard place.wrapped != nil else { return try values(in: group, weightNames, opaqueType) }
    // A wrapper lists the kernel of its wrapped layer again, before its own training state.
    let own = try values(in: group, [], opaqueType)
    return try values(in: group + "/" + Self.wrapped, weightNames.dropLast(), opaqueType)
      + own.suffix(own.count > 2 ? own.count : 1).map { (weightNames.last ?? $0.name, $0.stored) }
  }

  /// Returns the values in a layer's group with `names`, as far as these go.
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
        // If the group of one layer is missing, the others cannot be assigned.
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

  /// Returns the groups of a container by the layer names stored at their `vars`.
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

  /// Converts a class name to snake case: `MaxPooling2D` to `max_pooling2d`.
  ///
  /// Source: keras/src/utils/naming.py, `to_snake_case`: an underscore before each upper-case letter that is followed
  /// by lower-case letters, and between a lower-case and an upper-case letter.
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
  /// The name of the layer's group in this format, without its number.
  fileprivate var groupName: String {
    // Keras exports one class under another name.
    KerasPathWeights.snakeCase(
      bareClass == "GroupQueryAttention" ? "GroupedQueryAttention" : bareClass)
  }
}
