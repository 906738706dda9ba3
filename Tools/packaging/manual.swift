// Writes man pages: `swift manual.swift PROGRAM VERSION FOLDER` makes FOLDER/netconv.1, netconv-convert.1, ….
//
// All that they say comes from the program: what it prints with --experimental-dump-help, which is JSON, and the usage
// lines of its help, which are not in there. Nothing depends on the day, so that two runs give the same bytes.

import Foundation

// MARK: What the program says of itself

struct ToolInfo: Decodable {
  var command: Command
}

struct Command: Decodable {
  var commandName: String
  var abstract: String?
  var discussion: String?
  var arguments: [Argument]?
  var subcommands: [Command]?
  var shouldDisplay: Bool?
}

struct Argument: Decodable {
  struct Name: Decodable {
    var kind: String
    var name: String

    var option: String {
      kind == "short" || kind == "longWithSingleDash" ? "-\(name)" : "--\(name)"
    }
  }

  var kind: String
  var names: [Name]?
  var valueName: String?
  var abstract: String?
  var discussion: String?
  var defaultValue: String?
  var allValues: [String]?
  var shouldDisplay: Bool
}

func output(of program: String, _ arguments: [String]) throws -> String {
  let process = Process()
  let pipe = Pipe()
  process.executableURL = URL(filePath: program)
  process.arguments = arguments
  process.standardOutput = pipe
  process.environment = ["COLUMNS": "80", "PATH": "/usr/bin:/bin"]
  try process.run()
  let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else {
    FileHandle.standardError.write(Data("manual.swift: \(program) \(arguments) failed\n".utf8))
    exit(1)
  }
  return String(decoding: data, as: UTF8.self)
}

/// The lines behind `USAGE:` up to the next empty one.
func usage(of program: String, _ verb: String?) throws -> [String] {
  let help = try output(of: program, verb.map { ["help", $0] } ?? ["--help"])
  let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
  guard let first = lines.firstIndex(where: { $0.hasPrefix("USAGE:") }) else { return [] }
  return lines[first...].prefix { !$0.isEmpty }.map {
    String($0.dropFirst("USAGE: ".count)).trimmingCharacters(in: .whitespaces)
  }
}

// MARK: What a page is made of

/// Text as roff shows it: a minus is no hyphen, a line does not begin with a request.
func escaped(_ text: String) -> String {
  let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    .replacing("~", with: "\\(ti").replacing("^", with: "\\(ha").replacing("`", with: "\\(ga")
  return plain.split(separator: "\n", omittingEmptySubsequences: false)
    .map { $0.first == "." || $0.first == "'" ? "\\&\($0)" : String($0) }
    .joined(separator: "\n")
}

/// Paragraphs of a discussion; lines that are indented, or aligned by more than one blank, stay as they are.
func paragraphs(_ text: String) -> String {
  text.components(separatedBy: "\n\n").map { paragraph in
    let isExample = paragraph.split(separator: "\n").contains {
      $0.hasPrefix("  ") || $0.firstRange(of: "   ") != nil
    }
    return isExample
      ? ".PP\n.nf\n.RS\n\(escaped(paragraph))\n.RE\n.fi" : ".PP\n\(escaped(paragraph))"
  }.joined(separator: "\n")
}

func item(_ argument: Argument) -> String {
  let value = argument.valueName.map { "\\fI\(escaped($0))\\fP" }
  var tag: String
  if argument.kind == "positional" {
    tag = value ?? ""
  } else {
    tag = (argument.names ?? []).map { "\\fB\(escaped($0.option))\\fP" }.joined(separator: ", ")
    if argument.kind == "option", let value { tag += " \(value)" }
  }
  var text = [argument.abstract, argument.discussion].compactMap(\.self).joined(separator: "\n")
  // What the help adds by itself.
  if let values = argument.allValues, !text.contains("values:"), !values.allSatisfy(text.contains) {
    text += " (values: \(values.joined(separator: ", ")))"
  }
  if let byDefault = argument.defaultValue, !text.contains("default") {
    text += " (default: \(byDefault))"
  }
  return ".TP\n\(tag)\n\(escaped(text))"
}

/// The page of the program, or of one of its verbs.
func page(of command: Command, in root: Command?, program: String, version: String) throws -> String
{
  let title = root == nil ? command.commandName : "netconv-\(command.commandName)"
  var lines = [
    ".\\\" Made by Tools/packaging/manual.swift from netconv --experimental-dump-help.",
    ".TH \(title.uppercased().replacing("-", with: "\\-")) 1 \"\" \"netconv \(version)\" \"netconv\"",
    ".SH NAME", "\(escaped(title)) \\- \(escaped(summary(of: command)))", ".SH SYNOPSIS", ".nf",
  ]
  lines += try usage(of: program, root == nil ? nil : command.commandName)
    .map { "\\fB\(escaped($0))\\fP" }
  lines.append(".fi")
  if let discussion = command.discussion {
    lines += [".SH DESCRIPTION", paragraphs(discussion)]
  }
  let shown = (command.arguments ?? []).filter(\.shouldDisplay)
  let positional = shown.filter { $0.kind == "positional" }
  let options = shown.filter { $0.kind != "positional" }
  if !positional.isEmpty { lines += [".SH ARGUMENTS"] + positional.map(item) }
  if !options.isEmpty { lines += [".SH OPTIONS"] + options.map(item) }
  let children = verbs(of: command)
  if !children.isEmpty {
    lines.append(".SH COMMANDS")
    lines += children.map {
      ".TP\n.BR netconv\\-\(escaped($0.commandName)) (1)\n\(escaped($0.abstract ?? ""))"
    }
  }
  let others = root.map { ["netconv"] + verbs(of: $0).map { "netconv-\($0.commandName)" } } ?? []
  if !others.isEmpty {
    let references = others.filter { $0 != title }.map { ".BR \(escaped($0)) (1)" }
    lines.append(".SH SEE ALSO")
    lines += references.dropLast().map { $0 + "," } + references.suffix(1)
  }
  return lines.joined(separator: "\n") + "\n"
}

/// What stands behind a name: one line, without the stop.
func summary(of command: Command) -> String {
  let text = (command.abstract ?? "").replacing("\n", with: " ")
  let words = text.hasSuffix(".") ? String(text.dropLast()) : text
  return words.prefix(1).lowercased() + words.dropFirst()
}

func verbs(of command: Command) -> [Command] {
  (command.subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
}

// MARK: The pages

guard CommandLine.arguments.count == 4 else {
  FileHandle.standardError.write(Data("usage: manual.swift PROGRAM VERSION FOLDER\n".utf8))
  exit(64)
}
let (program, version) = (CommandLine.arguments[1], CommandLine.arguments[2])
let folder = URL(filePath: CommandLine.arguments[3])
let dump = try output(of: program, ["--experimental-dump-help"])
let root = try JSONDecoder().decode(ToolInfo.self, from: Data(dump.utf8)).command
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
for command in [root] + verbs(of: root) {
  let isRoot = command.commandName == root.commandName
  let text = try page(
    of: command, in: isRoot ? nil : root, program: program, version: version)
  let name = isRoot ? "netconv.1" : "netconv-\(command.commandName).1"
  try Data(text.utf8).write(to: folder.appending(path: name))
}
