import ArgumentParser
import ModelIR
import NetconvKit

/// Where a verb writes what it found as a page.
struct PageOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write what was found as a page for a browser, a single file that needs no network.",
      valueName: "file"),
    completion: .file(extensions: ["html"]))
  var html: String?

  func validate() throws {
    try checkPaths(("--html", html))
  }

  /// The file, checked; `nil` if none is wanted.
  ///
  /// - Parameters:
  ///   - force: whether an earlier page may be replaced.
  ///   - inputs: what the verb reads.
  func file(force: Bool, reading inputs: [String?]) throws(NetconvError) -> PageFile? {
    guard let html else { return nil }
    return try PageFile(html, force: force, reading: inputs.compactMap(\.self))
  }
}

/// The same with leave to replace an earlier page, for verbs that write nothing else.
struct PageOptions: ParsableArguments {
  @OptionGroup var page: PageOption

  @Flag(help: "Replace an earlier page of --html, and nothing else.")
  var force = false

  func validate() throws {
    try check([("--force", force)], needs: "--html FILE", page.html != nil)
  }

  /// The file, checked; `nil` if none is wanted.
  func file(reading inputs: String?...) throws(NetconvError) -> PageFile? {
    try page.file(force: force, reading: inputs)
  }
}
