import Foundation
import TestSupport
import Testing

/// `netconv help TOPIC` prints a page of `Docs`.
@Suite struct HelpTopicTests {
  private static let pages = [
    "formats": "formats/README", "targets": "targets/README", "layers": "keras-layers",
    "model.json": "model-json",
  ]

  private func page(_ topic: String) throws -> String {
    let name = try #require(Self.pages[topic])
    return try String(contentsOfFile: "\(Fixtures.repository)/Docs/\(name).md", encoding: .utf8)
  }

  /// A page without comments, targets of links, and the marks of Markdown.
  private func words(of page: String) -> [String] {
    page.replacing(#/<!--(?s:.*?)-->/#, with: "")
      .replacing(#/(?m)^```.*$/#, with: "")
      .replacing(#/\(\[[^\]]*\]\(([^)#]*)[^)]*\)\)/#) { "see \($0.output.1)" }
      .replacing(#/\]\([^)]*\)/#, with: "")
      .split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  private func output(_ topic: String) throws -> String {
    let result = try NetconvProcess.run(["help", topic])
    expectSuccess(result)
    return result.output
  }

  @Test(arguments: ["formats", "targets", "layers", "model.json"])
  func `a topic has every word of its page, and no other`(topic: String) throws {
    let page = try page(topic)
    let expected = words(of: page)
    let printed = words(of: try output(topic))
    #expect(expected.count > 300)
    #expect(Set(printed) == Set(expected))
    // The titles of a wide table stand in front of each of its cells.
    #expect(printed.count >= expected.count - 60)
  }

  @Test(arguments: ["formats", "targets", "layers", "model.json"])
  func `lines fit a terminal unless they are tables, code or long words`(topic: String) throws {
    let long = try output(topic).split(separator: "\n").filter { line in
      line.count > 100 && line.split(separator: " ").count > 2 && !line.hasPrefix("    ")
    }
    #expect(long == [])
  }

  @Test func `marks of Markdown are gone, and tables stand in columns`() throws {
    let targets = try output("targets")
    #expect(
      targets.hasPrefix("Targets\n=======\n\nnetconv convert SOURCE DEST --target NAME writes"))
    #expect(
      targets.contains(
        "\nmps         OHWI          IMHW          OHWI ↻        OHWI             OHWI\n"))
    let layers = try output("layers")
    #expect(
      layers.contains(
        "\nDense\n    operator: Dense\n    not read: activations that Activation does not read, and glu\n"
      ))
    let model = try output("model.json")
    #expect(model.contains("'features.{n}.weight=conv{#}.kernel'. {n}\nis the same text"))
    #expect(!model.contains("]("))
    let formats = try output("formats")
    #expect(formats.contains("\n    out/manifest.json          what was written"))
    #expect(!formats.contains("<!--"))
  }

  @Test func `help names the topics`() throws {
    let help = try NetconvProcess.run(["help"]).output
    #expect(help.contains("netconv help formats|targets|layers|model.json\n"))
    #expect(Self.pages.keys.allSatisfy(help.contains))
  }
}
