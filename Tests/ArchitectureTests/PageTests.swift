import Documents
import Foundation
import TestSupport
import Testing

extension Repository {
  /// The pages that readers of the documentation come to.
  func pages() throws -> [String] {
    let docs = try FileManager.default.subpathsOfDirectory(atPath: "\(root)/Docs").sorted()
    return ["README.md", "CONTRIBUTING.md"]
      + docs.filter { $0.hasSuffix(".md") }.map { "Docs/\($0)" }
  }

  /// A page without comments and blocks of code.
  private func prose(_ page: String) throws -> String {
    try text(page).replacing(#/<!--(?s:.*?)-->/#, with: "")
      .replacing(#/(?m)^```(?s:.*?)^```$/#, with: "")
      .split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("    ") || $0.contains(#/^ +- /#) }.joined(separator: "\n")
  }

  /// The anchors of a page's headings, as GitHub makes them.
  private func anchors(of page: String) throws -> [String] {
    try prose(page).split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
      line.drop { $0 == "#" || $0 == " " }.lowercased().filter {
        $0.isLetter || $0.isNumber || "-_ ".contains($0)
      }.replacing(" ", with: "-")
    }
  }

  /// A path without `.` and `..`.
  private static func normal(_ path: String) -> String {
    path.split(separator: "/").reduce(into: [Substring]()) { parts, part in
      switch part {
      case "..": _ = parts.popLast()
      case ".": break
      default: parts.append(part)
      }
    }.joined(separator: "/")
  }

  /// Broken links of pages: `page: link`.
  func brokenLinks() throws -> [String] {
    try pages().flatMap { page in
      let folder = page.split(separator: "/").dropLast().joined(separator: "/")
      return try prose(page).matches(of: #/\]\(([^)\s]+)\)/#).map { String($0.output.1) }
        .filter { link in
          guard !link.contains("://") else { return false }
          let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
          let path = parts[0].isEmpty ? page : Self.normal("\(folder)/\(parts[0])")
          guard FileManager.default.fileExists(atPath: "\(root)/\(path)") else { return true }
          return try parts.count == 2 && !anchors(of: path).contains(String(parts[1]))
        }.map { "\(page): \($0)" }
    }
  }

  /// Pages that no other page leads to.
  func lonelyPages() throws -> [String] {
    let linked = try Set(
      pages().flatMap { page -> [String] in
        let folder = page.split(separator: "/").dropLast().joined(separator: "/")
        return try prose(page).matches(of: #/\]\(([^)#\s]+)/#).map { match in
          Self.normal("\(folder)/\(match.output.1)")
        }.filter { $0 != page }
      })
    return try pages().filter { !linked.contains($0) && !$0.hasPrefix("README") }
      .filter { $0 != "CONTRIBUTING.md" }
  }
}

@Suite struct PageTests {
  @Test func `every link of a page leads to something`() throws {
    #expect(try Repository.here.brokenLinks() == [])
  }

  @Test func `every page of Docs is reached from another`() throws {
    #expect(try Repository.here.lonelyPages() == [])
  }

  @Test func `the README is short`() throws {
    let lines = try Repository.here.text("README.md").split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 151)
  }

  @Test func `every verb has a page`() throws {
    let verbs = try Repository.here.swiftFiles(in: "Sources/NetconvCLI/Commands").map {
      $0.replacing("Command", with: "").lowercased() + ".md"
    }
    #expect(verbs.count > 8)
    #expect(try Repository.here.names(in: "Docs/verbs") == verbs.sorted())
  }

  @Test func `the page of formats names each reader and each container`() throws {
    let page = try Repository.here.text("Docs/formats/README.md")
    let readers = try Repository.here.sources().flatMap { file in
      file.path.hasPrefix("Sources/Readers/")
        ? file.text.matches(of: #/static let format = "([^"]+)"/#).map { String($0.output.1) } : []
    }
    #expect(readers.count > 10)
    let names = readers + OutputFormat.allCases.map(\.rawValue)
    #expect(names.filter { !page.contains("`\($0)`") } == [])
  }

  @Test func `a broken link and a lonely page are found`() throws {
    let copy = try Copy()
    for page in ["README.md", "CONTRIBUTING.md"] { try copy.folder.write("", to: page) }
    try copy.folder.write(
      "# A b\n[1](two.md) [2](none.md) [3](#a-b) [4](#none) [5](two.md#none) [6](https://a.b)\n",
      to: "Docs/one.md")
    try copy.folder.write("# Two\n[back](../Docs/one.md)\n", to: "Docs/two.md")
    try copy.folder.write("# Three\n", to: "Docs/three.md")
    #expect(
      try copy.repository.brokenLinks().filter { $0.hasPrefix("Docs/one.md") } == [
        "Docs/one.md: none.md", "Docs/one.md: #none", "Docs/one.md: two.md#none",
      ])
    #expect(try copy.repository.lonelyPages().contains("Docs/three.md"))
    #expect(try !copy.repository.lonelyPages().contains("Docs/two.md"))
  }
}
