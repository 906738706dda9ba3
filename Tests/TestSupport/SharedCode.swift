import Foundation

/// The common code of emitted packages, which differ in their names, so that the compiler reads it
/// only once.
///
/// Every name in a package starts with the package's name. Files are equal if their texts are,
/// including the texts of all files whose names they use or that extend their types. The first
/// package keeps them; others get type aliases. Extensions of the network's own type stay in each
/// package.
public struct SharedCode {
  private struct File {
    let package: String
    let path: String
    /// Imports, and extensions of the network's own type.
    let kept: String
    /// The rest, with the package's name replaced by `NAME`, followed by the constants of the
    /// network that it uses.
    let plain: String
    /// The types visible to other files, each with `public` or an empty string.
    let declared: [String: String]
    let extended: Set<String>
    let mentioned: Set<String>

    /// - Parameter constants: The constants of the network's type by name, each with its
    ///   declaration.
    init(_ path: String, of package: String, constants: [String: String]) throws {
      (self.package, self.path) = (package, path)
      let parts = try Self.parts(
        of: String(contentsOf: URL(filePath: path), encoding: .utf8), extending: package)
      kept = parts.kept
      var declared: [String: String] = [:]
      var extended: Set<String> = []
      for line in parts.rest.split(separator: "\n") where !" }/".contains(line[line.startIndex]) {
        let words = Self.words(line)
        guard let kind = words.firstIndex(where: Self.kinds.contains), kind + 1 < words.count else {
          continue
        }
        let name = words[kind + 1]
        // The source of a shader contains its own types.
        guard name.hasPrefix(package) else { continue }
        if words[kind] == "extension" {
          extended.insert(name)
        } else if !words[..<kind].contains(where: ["private", "fileprivate"].contains) {
          declared[name] = words[..<kind].contains("public") ? "public " : ""
        }
      }
      self.declared = declared
      self.extended = extended
      // A name in a string or comment is not a use.
      var code = Self.withoutTexts(parts.rest)
      var plain = parts.rest.replacing(package, with: "NAME")
      for (name, line) in constants.sorted(by: { $0.key < $1.key }) {
        let use = "\(package).\(name)"
        guard code.contains(use) else { continue }
        code = code.replacing(use, with: "")
        plain += line
      }
      self.plain = plain
      mentioned = Set(Self.words(code).filter { $0.hasPrefix(package) })
    }

    /// True if the file contains more than extensions of the network's own type.
    var hasShare: Bool { !declared.isEmpty || !extended.isEmpty }

    /// The code without comments and single-line string literals.
    private static func withoutTexts(_ code: String) -> String {
      var result: [UInt8] = []
      for line in code.utf8.split(separator: UInt8(ascii: "\n")) {
        var rest = line
        while let byte = rest.popFirst(), byte != slash || rest.first != slash {
          result.append(byte)
          guard byte == quote, let end = rest.firstIndex(where: { $0 == quote || $0 == backslash }),
            rest[end] == quote
          else { continue }
          rest = rest[end...].dropFirst()
        }
        result.append(UInt8(ascii: "\n"))
      }
      return String(decoding: result, as: UTF8.self)
    }

    private static let slash = UInt8(ascii: "/")
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    private static func words(_ text: some StringProtocol) -> [String] {
      text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map { String($0) }
    }

    /// Separates imports and extensions of the type `name`, which end with a brace in the first
    /// column.
    private static func parts(
      of text: String, extending name: String
    ) -> (kept: String, rest: String) {
      var (kept, rest) = ("", "")
      var isInside = false
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if line.hasPrefix("extension \(name) ") { isInside = true }
        if isInside || line.hasPrefix("import ") {
          kept += line + "\n"
        } else {
          rest += line + "\n"
        }
        if line.hasPrefix("}") { isInside = false }
      }
      return (kept, rest)
    }

    private static let kinds: Set = [
      "class", "struct", "enum", "protocol", "actor", "typealias", "extension",
    ]
  }

  /// A file and the files that it depends on.
  private struct Content: Hashable {
    let own: String
    let all: Set<String>
  }

  private var owners: [Content: File] = [:]

  /// Creates an empty set of shared code.
  public init() {}

  /// Removes the code from the files of `package` that an earlier package contains; all files are
  /// in `folders`.
  public mutating func share(_ package: String, in folders: [String]) throws {
    let paths = folders.flatMap { folder in
      (FileManager.default.subpaths(atPath: folder) ?? []).sorted()
        .filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
    }
    let network = paths.first { $0.hasSuffix("/\(package)/\(package).swift") }
    let constants = try network.map(Self.constants) ?? [:]
    let files = try paths.map { try File($0, of: package, constants: constants) }
    for file in files where file.hasShare {
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
      try (file.kept + aliases.joined()).write(
        to: URL(filePath: file.path), atomically: true, encoding: .utf8)
    }
  }

  /// The single-line constants of a network's type: `public static let format = …`.
  private static func constants(in path: String) throws -> [String: String] {
    let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
    var constants: [String: String] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("  public static let ") {
      guard let match = line.firstMatch(of: #/^  public static let (\w+) = \S.*[^,(\[{]$/#) else {
        continue
      }
      constants[String(match.1)] = String(line)
    }
    return constants
  }

  /// The files that a file depends on.
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
