import Foundation
import TestSupport

/// A checkout of the repository, as text.
struct Repository {
  /// The repository of these tests.
  static let here = Repository(root: Fixtures.repository)

  /// The path of the root.
  let root: String

  /// A file of the sources.
  struct SourceFile {
    /// From the root: `Sources/Zlib/Inflate.swift`.
    let path: String
    let text: String

    var module: String { String(path.split(separator: "/")[1]) }
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    var isSwift: Bool { path.hasSuffix(".swift") }

    /// The lines that are not wholly a comment, with their numbers.
    var uncommentedLines: [(number: Int, line: Substring)] {
      text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        .filter { !$1.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") }
        .map { ($0 + 1, $1) }
    }

    /// The lines that are not part of a multiline string, such as the help of a command.
    var linesOutsideOfTexts: [(number: Int, line: Substring)] {
      var isInside = false
      return uncommentedLines.filter { _, line in
        let opensOrCloses = line.ranges(of: "\"\"\"").count % 2 == 1
        defer { if opensOrCloses { isInside.toggle() } }
        return !isInside
      }
    }
  }

  /// The names in a folder without hidden ones, sorted.
  func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")
      .filter { !$0.hasPrefix(".") }.sorted()
  }

  /// The folders in a folder, sorted.
  func folders(in folder: String) throws -> [String] {
    try names(in: folder).filter { name in
      var isDirectory: ObjCBool = false
      return FileManager.default.fileExists(
        atPath: "\(root)/\(folder)/\(name)", isDirectory: &isDirectory) && isDirectory.boolValue
    }
  }

  /// The names of the Swift files in a folder, without the extension.
  func swiftFiles(in folder: String) throws -> [String] {
    try names(in: folder).filter { $0.hasSuffix(".swift") }.map { String($0.dropLast(6)) }
  }

  /// The text of a file.
  func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: "\(root)/\(path)")), as: UTF8.self)
  }

  /// Every Swift and C file of the sources.
  func sources() throws -> [SourceFile] { try sources(in: "Sources") }

  /// Every Swift and C file in a folder and those below it.
  func sources(in folder: String) throws -> [SourceFile] {
    try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)").sorted()
      .filter { path in [".swift", ".c", ".h"].contains { path.hasSuffix($0) } }
      .map { SourceFile(path: "\(folder)/\($0)", text: try text("\(folder)/\($0)")) }
  }

  /// The names in the array literal that `start` begins, each up to the first dot or angle bracket.
  ///
  ///     static let all: [any Operator.Type] = [
  ///       Activation.self,
  func list(in path: String, startingWith start: String) throws -> [String] {
    let text = try text(path)
    guard let begin = text.range(of: start),
      let end = text[begin.upperBound...].firstIndex(of: "]")
    else { throw MissingList(path: path, start: start) }
    // Generic arguments may be generic.
    let innermost = #/<[^<>\n]*>/#
    return text[begin.upperBound..<end].replacing(innermost, with: "")
      .replacing(innermost, with: "")
      .split(whereSeparator: { ",\n".contains($0) })
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty && !$0.hasPrefix("//") }
      .map { entry in
        let name = entry.hasPrefix(".") ? entry.dropFirst() : entry[...]
        return String(name.prefix { $0 != "." && $0 != "<" })
      }
  }

  /// A list that is not where it should be.
  struct MissingList: Error {
    let path: String
    let start: String
  }
}

/// The differences between a list and `expected`, whose elements it should name once each.
///
/// - Parameter line: the line that the list needs for a name.
func differences(
  _ list: [String], _ expected: [String], in path: String, line: (String) -> String
) -> [String] {
  let missing = Set(expected).subtracting(list).sorted().map {
    "\(path) lacks the line: \(line($0))"
  }
  let surplus = Set(list).subtracting(expected).sorted().map {
    "\(path) has a line without a file: \(line($0))"
  }
  let repeated = Dictionary(grouping: list, by: \.self).filter { $1.count > 1 }.keys.sorted().map {
    "\(path) has a line twice: \(line($0))"
  }
  return missing + surplus + repeated
}

/// A copy of the sources that a test may spoil.
struct Copy {
  let folder: TemporaryFolder
  var repository: Repository { Repository(root: folder.path) }

  init() throws {
    folder = try TemporaryFolder()
    try folder.copy(Repository.here.root + "/Sources", to: "Sources")
    for name in ["Package.swift", "CONTRIBUTING.md"] {
      try folder.copy(Repository.here.root + "/" + name, to: name)
    }
    for test in try Repository.here.folders(in: "Tests") {
      for name in try Repository.here.swiftFiles(in: "Tests/\(test)") {
        try folder.write([], to: "Tests/\(test)/\(name).swift")
      }
    }
  }

  /// Adds the files of the targets that are not among the sources.
  func addOtherTargets() throws {
    for target in try Repository.here.targets() where !target.folder.hasPrefix("Sources/") {
      for file in try Repository.here.sources(of: target) {
        try folder.write(file.text, to: file.path)
      }
      // Of a system's library there may be only a map.
      try FileManager.default.createDirectory(
        atPath: "\(folder.path)/\(target.folder)", withIntermediateDirectories: true)
    }
  }

  /// Replaces text in a file, which has to contain it.
  func replace(_ part: String, with replacement: String, in path: String) throws {
    let text = try repository.text(path)
    guard text.contains(part) else { throw Repository.MissingList(path: path, start: part) }
    try folder.write(text.replacing(part, with: replacement), to: path)
  }
}
