import Files
import ModelIR
import Pages
import Writers

/// The destination of a page, checked before any work is done.
public struct PageFile: Sendable {
  private let destination: Destination

  /// Checks that `path` does not exist or contains an earlier page, and is not an input.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - force: true if an earlier page may be replaced.
  ///   - inputs: files and folders that the page is made from.
  /// - Throws: `usage` or `cannotCreate`.
  public init(
    _ path: String, force: Bool, reading inputs: [String]
  ) throws(NetconvError) {
    try checkOutput(path, isNoneOf: inputs)
    destination = try Destination(
      file: path, replacing: .text(beginning: [Page.beginning]), force: force)
  }

  /// The path, as given by the caller.
  public var path: String { destination.path }

  /// Writes a page, whole or not at all.
  ///
  /// - Throws: `cannotCreate` or `inputOutput`; an existing file is then unchanged.
  func write(_ page: Page) throws(NetconvError) {
    try AtomicFile.write(to: destination) { file throws(NetconvError) in
      try file.write(page.bytes, at: 0)
    }
  }
}

/// Checks that no input is the file at `path`, whatever its name there.
///
/// - Throws: `usage`.
func checkOutput(_ path: String, isNoneOf inputs: [String]) throws(NetconvError) {
  guard let output = FileState(path: path) else { return }
  for input in inputs {
    let files =
      Directory.isDirectory(input)
      ? try Directory.files(below: input).map { input + "/" + $0 } : [input]
    for file in files where FileState(path: file)?.isSameFile(as: output) ?? false {
      throw NetconvError.outputIsInput(file).inFile(path)
    }
  }
}

extension NetconvError {
  fileprivate static func outputIsInput(_ input: String) -> NetconvError {
    NetconvError(
      .usage,
      "is \(quoted(input)), which this run reads; an output never replaces an input, so choose another path"
    )
  }
}
