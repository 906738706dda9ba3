import Foundation
import TestSupport
import Testing

/// The code in README.md and Docs: Swift is compiled here, the rest is run by `make interop`
/// (Tools/interop/documentation.py, which describes the remarks in front of blocks).
@Suite struct DocumentationTests {
  private static let pages: [String] = {
    let docs = try? FileManager.default.subpathsOfDirectory(atPath: "\(Fixtures.repository)/Docs")
    return ["README.md", "CONTRIBUTING.md"]
      + (docs ?? []).filter { $0.hasSuffix(".md") }.sorted().map { "Docs/\($0)" }
  }()

  private func blocks() throws -> [DocumentationBlock] {
    try Self.pages.flatMap { page in
      DocumentationBlock.all(
        in: try String(contentsOfFile: "\(Fixtures.repository)/\(page)", encoding: .utf8),
        of: page)
    }
  }

  @Test func `every block of code is run, or says why it is not`() throws {
    let blocks = try blocks()
    #expect(blocks.count > 40)
    #expect(blocks.filter { !$0.isRun && !$0.isMarked }.map(\.place) == [])
    // The way in which a block is run can be seen.
    for text in ["    text\n", "```json\n{}\n```\n", "\n```\nno language\n```\n"] {
      let found = DocumentationBlock.all(in: text, of: "page")
      #expect(found.count == 1 && !found[0].isRun && !found[0].isMarked, "\(text)")
      let marked = DocumentationBlock.all(in: "<!-- not run: a list -->\n\n" + text, of: "page")
      #expect(marked.count == 1 && marked[0].isMarked, "\(text)")
      let without = DocumentationBlock.all(in: "<!-- not run: -->\n\n" + text, of: "page")
      #expect(without.count == 1 && !without[0].isMarked, "\(text)")
    }
  }

  /// The compiler checks all blocks at once: those of Apple's frameworks against the stand-ins, then the others.
  private func expectCompiles(
    _ blocks: [DocumentationBlock], count: Int, _ options: [String]
  ) throws {
    #expect(blocks.count == count)
    let folder = try TemporaryFolder()
    let files = try blocks.enumerated().map { index, block in
      try folder.write(block.module("Block\(index)"), to: "Block\(index).swift")
    }
    let result = try RunningProgram.run(
      ["/usr/bin/env", "swiftc", "-typecheck", "-parse-as-library"] + options + files)
    #expect(result.status == 0)
    #expect(!result.output.contains("warning:"), "\(result.output)")
  }

  private func blocksOfSwift(isOfMetal: Bool) throws -> [DocumentationBlock] {
    try blocks().filter { block in
      block.language == "swift" && !block.isMarked
        && block.text.contains("MetalPerformanceShaders") == isOfMetal
    }
  }

  @Test(.enabled(if: StandIns.products != nil))
  func `code for Apple's frameworks compiles against the stand-ins`() throws {
    let products = try #require(StandIns.products)
    try expectCompiles(
      try blocksOfSwift(isOfMetal: true), count: 4,
      ["-swift-version", "5", "-I\(products)/Modules"])
  }

  #if os(Linux)
    @Test func `code for netconv's library compiles`() throws {
      try expectCompiles(
        try blocksOfSwift(isOfMetal: false), count: 3,
        ["-swift-version", "6"] + BuiltModules.options())
    }
  #endif
}
