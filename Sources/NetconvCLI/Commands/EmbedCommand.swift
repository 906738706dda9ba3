import ArgumentParser
import ModelIR
import NetconvKit

/// The command `netconv embed`.
struct EmbedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "embed",
    abstract: "Converts a checkpoint into the files that a build names; used by NetconvPlugin.",
    discussion: """
      Writes the weights as one archive and, if the options name a language, the
      code that runs them as one file of Swift. Existing files are replaced, so that
      a build can run this whenever the checkpoint changes. Only warnings and errors
      are printed.

        netconv embed lenet.h5 --archive lenet.netpack
        netconv embed lenet.h5 --options lenet.netconv.json \\
          --archive lenet.netpack --code lenet.netpack.swift

      FILE of --options holds an object; all of its keys may be left out:

        target    the code that reads the weights, as for convert; mps by default
        dtype     a type or a list of them, as for convert's --dtype
        fold      true folds BatchNormalization into the kernels before it
        language  \(packageLanguages) for code, of float16 (default) or float32
        name      the name of the code's class; by default, that of PATH
        replace   operators that replace layers, as for convert's --replace
      """)

  @Argument(help: "The network to convert, in any format that netconv reads.", completion: .file())
  var path: String

  @Option(
    help: ArgumentHelp("The archive; its name ends in \(archiveEnding).", valueName: "file"),
    completion: .file(extensions: [String(archiveEnding.dropFirst())]))
  var archive: String

  @Option(
    help: ArgumentHelp(
      "The file for the code. If the options name no language, it only holds a comment.",
      valueName: "file"),
    completion: .file(extensions: ["swift"]))
  var code: String?

  @Option(
    help: ArgumentHelp(
      "A JSON file with options; see above. (default: target mps, no code)", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var options: String?

  @OptionGroup var output: QuietOption

  func validate() throws {
    try checkPaths(
      ("PATH", path), ("--archive", archive), ("--code", code), ("--options", options))
  }

  func run() throws {
    var request = EmbedRequest(source: path, archive: archive)
    request.code = code
    request.options = options
    let bar = ProgressBar("converting")
    defer { bar.clear() }
    _ = try Netconv.embed(request, observer: bar.observer(isQuiet: output.quiet))
  }
}

/// The extension of archives.
private let archiveEnding = OutputFormat.archive.ending ?? ""

/// The package languages, which a build can use.
private let packageLanguages = EmittedLanguage.all.filter { $0.package != nil }.map(\.name)
  .joined(separator: " or ")
