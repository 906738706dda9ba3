import Foundation
import TestSupport
import Testing

extension Repository {
  /// Files that name a language although they do not belong to it: `path: name`.
  ///
  /// The folder of a language and the file that embeds its runtime code belong to it, and a line of the registry names
  /// it. The names of some targets are equal to those of languages.
  func filesNamingLanguages() throws -> [String] {
    let registry = "Sources/Emission/EmittedLanguage.swift"
    // A single letter names many things.
    let languages = try folders(in: "Sources/Emission").filter { !["Package", "C"].contains($0) }
    let owners = Dictionary(
      uniqueKeysWithValues: languages.map { folder in
        let name = folder.lowercased()
        return (
          name,
          [
            "Sources/Emission/\(folder)/", "Sources/CEmitted/\(name).c",
            "Sources/CEmitted/include/cemitted_\(name).h",
          ]
        )
      })
    return try sources().filter { !$0.path.hasPrefix("Sources/Transforms/Layout/Target") }
      .flatMap { file in
        Self.words(Set(owners.keys), in: file, without: file.path == registry ? #/ +\.\w+,/# : nil)
          .filter { !(owners[$0] ?? []).contains(where: file.path.hasPrefix) }
          .map { "\(file.path): \($0)" }
      }
  }

  /// Words of a file's code that are in `names`; lines that match `exception` are skipped.
  private static func words(
    _ names: Set<String>, in file: SourceFile, without exception: Regex<Substring>?
  ) -> [String] {
    let lines = file.text.split(separator: "\n").map(withoutComment).filter { line in
      names.contains { line.contains($0) }
        && exception.map { line.wholeMatch(of: $0) == nil } ?? true
    }
    let word = #/\w+/#
    return Set(lines.flatMap { $0.matches(of: word).map { String($0.output) } })
      .intersection(names).sorted()
  }

  /// A line of Swift or C without its comment.
  private static func withoutComment(_ line: Substring) -> Substring {
    if line.drop(while: { $0 == " " }).hasPrefix("//") { return "" }
    return line.firstRange(of: " //").map { line[..<$0.lowerBound] } ?? line
  }
}

@Suite struct LanguageTests {
  @Test func `no other file names a language`() throws {
    #expect(try Repository.here.filesNamingLanguages() == [])
  }

  @Test func `a file that names one is found`() throws {
    let copy = try Copy()
    try copy.folder.write(
      "/// What `mpscnn` writes.\nlet language = EmittedLanguage.mpsgraph\n",
      to: "Sources/NetconvKit/Bad.swift")
    try copy.folder.write(
      "let help = \"\"\"\n  mpscnn or another\n  \"\"\"\n", to: "Sources/NetconvCLI/Bad.swift")
    try copy.folder.write(
      "let other = [\"dsl\"]  // not mpsgraph\n", to: "Sources/Emission/MPSCNN/Bad.swift")
    #expect(
      try copy.repository.filesNamingLanguages() == [
        "Sources/Emission/MPSCNN/Bad.swift: dsl", "Sources/NetconvCLI/Bad.swift: mpscnn",
        "Sources/NetconvKit/Bad.swift: mpsgraph",
      ])
  }

  @Test func `the registry names each on its line alone`() throws {
    let copy = try Copy()
    try copy.replace(
      "all[0]", with: "EmittedLanguage.dsl", in: "Sources/Emission/EmittedLanguage.swift")
    #expect(
      try copy.repository.filesNamingLanguages() == ["Sources/Emission/EmittedLanguage.swift: dsl"])
  }
}
