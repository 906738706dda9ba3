/// The groups of a model in Keras's own format, by paths with slashes for every file.
///
/// Keras 2 used the path separator of the operating system: on Windows `layers\conv2d` is a single group at the root.
/// Before 2.14 a model stored its layers in `_layer_checkpoint_dependencies`, where 2.12 and 2.13 counted each layer
/// with weights twice: `conv2d`, `conv2d_2`, `conv2d_4`.
///
/// Source: Keras 2.12 to 2.15, keras/src/saving/saving_lib.py, `_walk_trackable` and `_save_container_state`;
/// keras/src/engine/functional.py, `_layer_checkpoint_dependencies`.
struct KerasGroups {
  private static let containers = ["layers", "_layer_checkpoint_dependencies"]

  /// The weight files.
  let files: KerasWeightFiles
  /// The name of a model's list of layers.
  let container: String
  /// True if the numbers of groups are not consecutive.
  var skipsNumbers: Bool { container != Self.containers[0] }
  private let hasBackslashes: Bool
  /// The groups in each group, for a file with backslashes.
  private let children: [String: [String]]

  /// Determines the group names of `files`.
  init(_ files: KerasWeightFiles) {
    self.files = files
    let roots = files.groups(in: "/").map { String($0.dropFirst()) }
    let firsts = Set(roots.map { String($0.prefix { $0 != "\\" }) })
    container = Self.containers.first(where: firsts.contains) ?? Self.containers[0]
    let prefix = container + "\\"
    hasBackslashes = roots.contains { $0.hasPrefix(prefix) }
    var children: [String: [String]] = [:]
    if hasBackslashes {
      for root in roots {
        let parts = root.split(separator: "\\", omittingEmptySubsequences: false)
        let parent = "/" + parts.dropLast().joined(separator: "/")
        children[parent, default: []].append("/" + parts.joined(separator: "/"))
      }
    }
    self.children = children
  }

  /// Returns the path in the file of a member of the group at `path`.
  func path(of name: String, in path: String) -> String {
    (hasBackslashes ? "/" + path.dropFirst().replacing("/", with: "\\") : path) + "/" + name
  }

  /// Returns the path of a nested layer's group, which has the name of an attribute, with or without its underscore.
  func group(_ name: String, in path: String) -> String {
    let hidden = path + "/_" + name
    return files.holds(self.path(of: "vars", in: hidden)) ? hidden : path + "/" + name
  }

  /// Returns the path with slashes of the group at `path` in the file.
  func slashed(_ path: String) -> String {
    hasBackslashes ? path.replacing("\\", with: "/") : path
  }

  /// Returns the groups in the group at `path`.
  func groups(in path: String) -> [String] {
    if hasBackslashes { return children[path] ?? [] }
    return files.groups(in: path)
  }

  /// Returns the groups in the group at `path` by their names without numbers, sorted by number.
  func numbered(in path: String) -> [String: [String]] {
    var found: [String: [(number: Int, path: String)]] = [:]
    for group in groups(in: path) {
      let name = String(group.dropFirst(path.count + 1))
      found[name, default: []].append((0, group))
      if let end = name.lastIndex(of: "_"), let number = Int(name[name.index(after: end)...]),
        number > 0, name[name.index(after: end)...] == "\(number)"
      {
        found[String(name[..<end]), default: []].append((number, group))
      }
    }
    return found.mapValues { groups in groups.sorted { $0.number < $1.number }.map(\.path) }
  }
}
