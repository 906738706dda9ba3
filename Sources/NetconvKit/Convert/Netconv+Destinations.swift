import Files
import ModelIR
import Transforms
import Writers

extension Netconv {
  /// The consumers for which weights can be converted.
  public static var targets: [Target] { Target.all }

  /// Creates a folder unless it exists.
  ///
  /// - Throws: `cannotCreate`.
  public static func createFolder(_ path: String) throws(NetconvError) {
    let path = Directory.withoutTrailingSlashes(path)
    guard !Directory.isDirectory(path) else { return }
    try Directory.create(path)
  }

  /// The common extensions of files that contain a network.
  private static let knownSuffixes =
    Destination.containerSuffixes + ModelEnding.allCases.map(\.rawValue)

  /// Returns the destinations of several sources: `directory/STEM`, with `-2`, `-3`, … for equal stems.
  ///
  /// The stem of a file is its name without a known extension; a folder keeps its name. No stem ends in the extension
  /// of a container, so that each destination is a folder.
  public static func destinations(for sources: [String], in directory: String) -> [String] {
    var names = UniqueNames(separator: "-") { $0.lowercased() }
    return sources.map { source in
      let stem = stem(of: source)
      let base = stem.isEmpty || stem == "." || stem == ".." ? "model" : stem
      let folder = Directory.withoutTrailingSlashes(directory) + "/" + names.next(base)
      // A trailing slash marks a folder whose name looks like that of a file.
      return ModelEnding(of: folder) == nil ? folder : folder + "/"
    }
  }

  /// Returns the name of a file without a known extension, or of a folder.
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
