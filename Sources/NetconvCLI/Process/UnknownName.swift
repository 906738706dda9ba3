import ArgumentParser
import ModelIR

/// A verb or an option on the command line that does not exist.
///
/// The argument parser counts what stands behind such an option as arguments, and then complains of their number. So
/// once it has refused a command line, the names on it are looked at before its own reason is given.
struct UnknownName {
  /// What is wrong, and what was probably meant.
  let message: String

  /// The first name in `arguments`, which the argument parser has refused, that does not exist; `nil` if all do.
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

  /// The verb that explains the others.
  static let help = "help"

  private static var verbs: [any ParsableCommand.Type] {
    NetconvCommand.configuration.subcommands
  }

  private static func verb(called name: String) -> (any ParsableCommand.Type)? {
    verbs.first { $0.configuration.commandName == name }
  }

  /// The first option that `verb` does not have, without the value behind a `=`.
  private static func unknownOption(
    in arguments: [String], of verb: any ParsableCommand.Type
  ) -> String? {
    let known = options(of: verb)
    return arguments.prefix { $0 != "--" }.lazy.map { argument in
      String(argument.prefix { $0 != "=" })
    }.first { option in
      // A lone dash is a path, and a negative number a value.
      guard option.hasPrefix("-"), option != "-", Double(option) == nil else { return false }
      if known.contains(option) || hidden.contains(option) { return false }
      // Several flags of one letter: -qh.
      let letters = option.dropFirst()
      return letters.hasPrefix("-") || !letters.allSatisfy { known.contains("-\($0)") }
    }
  }

  /// What the argument parser knows without showing it.
  private static let hidden: Set<String> = [
    "--generate-completion-script", "--experimental-dump-help", "--help-hidden", "-help",
    "-help-hidden",
  ]

  /// The names of a verb's options, as its help has them.
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

  // MARK: - Wording

  /// - Parameter isForHelp: whether help was asked for, which is there for topics as well.
  private static func message(verb name: String, isForHelp: Bool = false) -> String {
    let names = verbs.compactMap { $0.configuration.commandName }
    let topics = isForHelp ? HelpTopic.allCases.map(\.rawValue) : []
    let wayOn =
      nearest(to: name, among: names + topics + [help]).map { "did you mean '\($0)'?" }
      ?? "the verbs are \(names.joined(separator: ", "))"
      + (isForHelp ? "; the topics are \(topics.joined(separator: ", "))" : "")
    return "unknown \(isForHelp ? "verb or topic" : "verb") \(quoted(name)); \(wayOn)"
  }

  /// - Parameter verb: the verb that does not have the option; `nil` if there is none yet.
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
