import Foundation

/// What emitted packages have alike but for their names, so that the compiler reads it once.
///
/// Every name of a package begins with the package's. Files are alike if their texts are, and those of all files whose
/// names they use, or that extend what they declare. The first package keeps them; others have type aliases.
struct SharedCode {
  private struct File {
    let package: String
    let path: String
    let text: String
    /// The text with `NAME` in the place of the package's name.
    let plain: String
    /// Types that other files can see, each with `public` or nothing.
    let declared: [String: String]
    let extended: Set<String>
    let mentioned: Set<String>

    init(_ path: String, of package: String) throws {
      (self.package, self.path) = (package, path)
      text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
      plain = text.replacing(package, with: "NAME")
      var declared: [String: String] = [:]
      var extended: Set<String> = []
      for line in text.split(separator: "\n") where line.first.map({ !" }/".contains($0) }) ?? false
      {
        let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
        guard let kind = words.firstIndex(where: Self.kinds.contains), kind + 1 < words.count else {
          continue
        }
        let name = words[kind + 1]
        // The text of a shader has types of its own.
        guard name.hasPrefix(package) else { continue }
        if words[kind] == "extension" {
          extended.insert(name)
        } else if !words[..<kind].contains(where: ["private", "fileprivate"].contains) {
          declared[name] = words[..<kind].contains("public") ? "public " : ""
        }
      }
      self.declared = declared
      self.extended = extended
      mentioned = Set(
        text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
          .filter { $0.hasPrefix(package) })
    }

    private static let kinds: Set = [
      "class", "struct", "enum", "protocol", "actor", "typealias", "extension",
    ]
  }

  /// A file, and what it rests on.
  private struct Content: Hashable {
    let own: String
    let all: Set<String>
  }

  private var owners: [Content: File] = [:]

  /// Leaves of the files of `package` those that no package before has; all of them lie in `folders`.
  mutating func share(_ package: String, in folders: [String]) throws {
    let files = try folders.flatMap { folder in
      try (FileManager.default.subpaths(atPath: folder) ?? []).sorted()
        .filter { $0.hasSuffix(".swift") }.map { try File("\(folder)/\($0)", of: package) }
    }
    for file in files {
      let content = Content(
        own: file.plain, all: Set(Self.reach(of: file, in: files).map(\.plain)))
      guard let owner = owners[content] else {
        owners[content] = file
        continue
      }
      let aliases = file.declared.sorted { $0.key < $1.key }.map { name, access in
        let other = owner.package + name.dropFirst(package.count)
        return "\(access)typealias \(name) = \(other)\n"
      }
      try aliases.joined().write(
        to: URL(filePath: file.path), atomically: true, encoding: .utf8)
    }
  }

  /// The files without which a file would mean something else.
  private static func reach(of file: File, in files: [File]) -> [File] {
    var found = [file]
    var next = 0
    while next < found.count {
      let current = found[next]
      next += 1
      found += files.filter { other in
        !found.contains { $0.path == other.path }
          && (!other.declared.keys.allSatisfy { !current.mentioned.contains($0) }
            || !other.extended.isDisjoint(with: current.declared.keys))
      }
    }
    return found
  }
}
