import Files
import ModelIR
import Transforms

extension Netconv {
  /// The consumers that weights can be converted for.
  public static var targets: [Target] { Target.all }

  /// Creates a folder unless it is there.
  ///
  /// - Throws: `cannotCreate`.
  public static func createFolder(_ path: String) throws(NetconvError) {
    let path = Directory.withoutTrailingSlashes(path)
    guard !Directory.isDirectory(path) else { return }
    try Directory.create(path)
  }

  /// Where several sources go: `directory/STEM`, with `-2`, `-3`, … where stems are equal.
  public static func destinations(for sources: [String], in directory: String) -> [String] {
    var taken: Set<String> = []
    return sources.map { source in
      let name = Directory.lastComponent(of: source)
      let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
      let base = stem.isEmpty || stem == "." || stem == ".." ? "model" : stem
      var unique = base
      var number = 2
      while !taken.insert(unique.lowercased()).inserted {
        unique = "\(base)-\(number)"
        number += 1
      }
      return Directory.withoutTrailingSlashes(directory) + "/" + unique
    }
  }
}
