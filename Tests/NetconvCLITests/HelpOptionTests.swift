import Foundation
import TestSupport
import Testing

/// The output of `--experimental-dump-help`, as far as these tests need it.
private struct Dump: Decodable {
  var command: Command

  struct Command: Decodable {
    var commandName: String
    var subcommands: [Command]?
    var arguments: [Argument]?

    /// Options and flags.
    var options: [Argument] { arguments?.filter { $0.kind != "positional" } ?? [] }
  }

  struct Argument: Decodable {
    var kind: String
    var names: [Name]?
    var abstract: String?
    var defaultValue: String?
    var isOptional: Bool
    var sectionTitle: String?

    var name: String { names?.last?.name ?? "" }
  }

  struct Name: Decodable {
    var name: String
  }

  static func read() throws -> [Command] {
    let result = try NetconvProcess.run(["--experimental-dump-help"])
    let dump = try JSONDecoder().decode(Dump.self, from: Data(result.output.utf8))
    return try #require(dump.command.subcommands)
  }
}

@Suite("Options in help")
struct HelpOptionTests {
  /// Options that request an additional action; they have no default.
  private static let asking: Set<String> = [
    "against", "bind", "check", "code", "filter", "graph-input", "graph-output", "html", "input",
    "drop", "into", "keep", "layout", "map", "max-error", "min-accuracy", "min-agreement", "min-r2",
    "model", "reference", "rename", "replace", "rules", "sweep", "run --layer",
  ]

  @Test("every option says its default, or asks for something that is not done otherwise")
  func defaults() throws {
    for verb in try Dump.read() {
      for option in verb.options where option.kind == "option" && option.isOptional {
        let name = option.name.replacing(#/^(against|b)-(?=.)/#, with: "")
        // Those of one of two sources stand for those of both.
        let isOfSide = name != option.name
        let asks = !Self.asking.isDisjoint(with: [name, "\(verb.commandName) --\(name)"])
        let says = option.defaultValue != nil || option.abstract?.contains("(default: ") == true
        #expect(
          says || isOfSide || asks, "\(verb.commandName) --\(option.name)")
        #expect(
          !(says && asks), "\(verb.commandName) --\(option.name) has one")
        // One wording, which the argument parser has too.
        #expect(
          option.abstract?.contains(#/by default|the default\)/#) != true,
          "\(verb.commandName) --\(option.name)")
      }
    }
  }

  @Test("verbs with more than ten options show them in sections")
  func sections() throws {
    for verb in try Dump.read() where verb.options.count > 10 {
      let sections = Dictionary(grouping: verb.options) { $0.sectionTitle ?? "" }
      #expect(sections.count > 2, "\(verb.commandName)")
      for (title, options) in sections {
        #expect(options.count <= 10, "\(verb.commandName): \(options.count) in '\(title)'")
      }
    }
    let help = try NetconvProcess.run(["verify", "--help"]).output
    for title in ["SAMPLES:", "PIXELS:", "METRICS:", "LAYER BY LAYER:", "OUTPUT:"] {
      #expect(help.contains("\n\(title)\n"))
    }
  }
}
