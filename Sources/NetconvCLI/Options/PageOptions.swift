import ArgumentParser
import ModelIR
import NetconvKit

/// The HTML page of a command.
struct PageOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write the report as an HTML page, a single file that needs no network.",
      valueName: "file"),
    completion: .file(extensions: ["html"]))
  var html: String?

  func validate() throws {
    try checkPaths(("--html", html))
  }

  /// The checked destination of the page; `nil` if none is requested.
  ///
  /// - Parameters:
  ///   - force: True if an existing page may be replaced.
  ///   - inputs: The paths that the command reads.
  func file(force: Bool, reading inputs: [String?]) throws(NetconvError) -> PageFile? {
    guard let html else { return nil }
    return try PageFile(html, force: force, reading: inputs.compactMap(\.self))
  }
}

/// The HTML page with `--force`, for commands that write nothing else.
struct PageOptions: ParsableArguments {
  @OptionGroup var page: PageOption

  @Flag(help: "Replace an earlier page of --html, and nothing else.")
  var force = false

  func validate() throws {
    try check([("--force", force)], needs: "--html FILE", page.html != nil)
  }

  /// The checked destination of the page; `nil` if none is requested.
  func file(reading inputs: String?...) throws(NetconvError) -> PageFile? {
    try page.file(force: force, reading: inputs)
  }
}
