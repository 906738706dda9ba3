import Files
import ModelIR
import Transforms
import Writers

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

  /// What the names of files with a network end in, by custom.
  private static let knownSuffixes =
    Destination.containerSuffixes + ModelEnding.allCases.map(\.rawValue)

  /// Where several sources go: `directory/STEM`, with `-2`, `-3`, … where stems are equal.
  ///
  /// The stem of a file is its name without a known ending; a folder keeps its name. No stem ends as a container
  /// does: each destination is a folder.
  public static func destinations(for sources: [String], in directory: String) -> [String] {
    var names = UniqueNames(separator: "-") { $0.lowercased() }
    return sources.map { source in
      let stem = stem(of: source)
      let base = stem.isEmpty || stem == "." || stem == ".." ? "model" : stem
      let folder = Directory.withoutTrailingSlashes(directory) + "/" + names.next(base)
      // Of a folder that is called like a file, the slash says that it is one.
      return ModelEnding(of: folder) == nil ? folder : folder + "/"
    }
  }

  /// The name of a file without a known ending, or of a folder.
  static func stem(of source: String) -> String {
    var stem = Directory.lastComponent(of: source)
    if !Directory.isDirectory(source),
      let suffix = knownSuffixes.first(where: { stem.lowercased().hasSuffix($0) })
    {
      stem.removeLast(suffix.count)
    }
    while let suffix = Destination.containerSuffixes.first(where: {
      stem.lowercased().hasSuffix($0)
    }) {
      stem.removeLast(suffix.count)
    }
    return stem
  }
}
