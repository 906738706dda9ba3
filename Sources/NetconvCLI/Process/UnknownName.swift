import ArgumentParser
import ModelIR

/// An unknown subcommand or option on the command line.
///
/// The argument parser takes the words after an unknown option as arguments, and then reports a
/// wrong number of arguments. So if it rejects a command line, unknown names are reported first.
struct UnknownName {
  /// The error, with the name that was probably meant.
  let message: String

  /// Finds the first unknown name in `arguments`, which the argument parser has rejected; `nil` if
  /// all are known.
  init?(in arguments: [String]) {
    guard let first = arguments.first else { return nil }
    if first.hasPrefix("-") {
      guard let option = Self.unknownOption(in: arguments, of: NetconvCommand.self) else {
        return nil
      }
      message = Self.message(option, outsideOf: nil)
    } else if let verb = Self.verb(called: first) {
      guard let option = Self.unknownOption(in: Array(arguments.dropFirst()), of: verb) else {
        return nil
      }
      message = Self.message(option, outsideOf: verb)
    } else if first != Self.help {
      message = Self.message(verb: first)
    } else {
      guard let wanted = arguments.dropFirst().first, !wanted.hasPrefix("-"),
        Self.verb(called: wanted) == nil
      else { return nil }
      message = Self.message(verb: wanted, isForHelp: true)
    }
  }

  /// The subcommand for help.
  static let help = "help"

  private static var verbs: [any ParsableCommand.Type] {
    NetconvCommand.configuration.subcommands
  }

  private static func verb(called name: String) -> (any ParsableCommand.Type)? {
    verbs.first { $0.configuration.commandName == name }
  }

  /// The first option that `verb` does not have, without a value after `=`.
  private static func unknownOption(
    in arguments: [String], of verb: any ParsableCommand.Type
  ) -> String? {
    let known = options(of: verb)
    return arguments.prefix { $0 != "--" }.lazy.map { argument in
      String(argument.prefix { $0 != "=" })
    }.first { option in
      // A single dash is a path, and a negative number is a value.
      guard option.hasPrefix("-"), option != "-", Double(option) == nil else { return false }
      if known.contains(option) || hidden.contains(option) { return false }
      // Several short flags: -qh.
      let letters = option.dropFirst()
      return letters.hasPrefix("-") || !letters.allSatisfy { known.contains("-\($0)") }
    }
  }

  /// The hidden options of the argument parser.
  private static let hidden: Set<String> = [
    "--generate-completion-script", "--experimental-dump-help", "--help-hidden", "-help",
    "-help-hidden",
  ]

  /// The names of a command's options, taken from its help.
  private static func options(of verb: any ParsableCommand.Type) -> Set<String> {
    let help = NetconvCommand.helpMessage(for: verb, includeHidden: true, columns: 1000)
    let lines = help.split(separator: "\n").filter { $0.hasPrefix("  -") }
    return Set(
      lines.flatMap { line in
        line.split(separator: " ").prefix { $0.hasPrefix("-") }.map {
          String($0.hasSuffix(",") ? $0.dropLast() : $0)
        }
      })
  }

  // MARK: - Messages

  /// - Parameter isForHelp: True for a request for help, which also accepts topics.
  private static func message(verb name: String, isForHelp: Bool = false) -> String {
    let names = verbs.compactMap { $0.configuration.commandName }
    let topics = isForHelp ? HelpTopic.allCases.map(\.rawValue) : []
    let wayOn =
      nearest(to: name, among: names + topics + [help]).map { "did you mean '\($0)'?" }
      ?? "the verbs are \(names.joined(separator: ", "))"
      + (isForHelp ? "; the topics are \(topics.joined(separator: ", "))" : "")
    return "unknown \(isForHelp ? "verb or topic" : "verb") \(quoted(name)); \(wayOn)"
  }

  /// - Parameter verb: The subcommand without the option; `nil` if none was given.
  private static func message(
    _ option: String, outsideOf verb: (any ParsableCommand.Type)?
  ) -> String {
    let own = options(of: verb ?? NetconvCommand.self)
    let unknown = "unknown option \(quoted(option))"
    let owners = verbs.filter { options(of: $0).contains(option) }
      .compactMap { $0.configuration.commandName }
    if verb == nil, let owner = owners.first {
      return unknown + "; options follow the verb, as in netconv \(owner) \(option)"
    }
    if let meant = nearest(to: option, among: own.filter { $0.hasPrefix("--") }.sorted()) {
      return unknown + "; did you mean '\(meant)'?"
    }
    guard let last = owners.last else { return unknown }
    let list = (owners.count > 1 ? owners.dropLast().joined(separator: ", ") + " and " : "") + last
    return unknown + "; it is an option of \(list)"
  }
}
