import ArgumentParser
import ModelIR
import NetconvKit

/// The command `netconv embed`.
struct EmbedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "embed",
    abstract: "Converts a checkpoint into files that a build has named; NetconvPlugin calls it.",
    discussion: """
      Writes the weights as one archive and, if the options name a language, the
      code that runs them as one file of Swift. Earlier ones are replaced, so that
      a build can call this whenever the checkpoint has changed. Nothing is printed
      but warnings and errors.

        netconv embed lenet.h5 --archive lenet.netpack
        netconv embed lenet.h5 --options lenet.netconv.json \\
          --archive lenet.netpack --code lenet.netpack.swift

      FILE of --options holds an object; all of its keys may be left out:

        target    who reads the weights, as for convert; mps by default
        dtype     a type or a list of them, as for convert's --dtype
        fold      true folds BatchNormalization into the kernels before it
        language  \(packageLanguages) for code, of float16 (default) or float32
        name      what the code's class is called; by default, what PATH is
        replace   operators in the place of layers, as for convert's --replace
      """)

  @Argument(help: "What to convert: anything that netconv reads.", completion: .file())
  var path: String

  @Option(
    help: ArgumentHelp("The archive; its name ends in \(archiveEnding).", valueName: "file"),
    completion: .file(extensions: [String(archiveEnding.dropFirst())]))
  var archive: String

  @Option(
    help: ArgumentHelp(
      "Where the code goes. If the options name no language, the file says so in a comment.",
      valueName: "file"),
    completion: .file(extensions: ["swift"]))
  var code: String?

  @Option(
    help: ArgumentHelp(
      "A JSON file with options; see above. (default: target mps, and no code)", valueName: "file"),
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
