import Files
import ModelIR
import Pages
import Writers

/// Where a page goes, checked before any work is done.
public struct PageFile: Sendable {
  private let destination: Destination

  /// Checks that `path` is free, or holds an earlier page, and is nothing that is read.
  ///
  /// - Parameters:
  ///   - path: of the file.
  ///   - force: whether an earlier page may be replaced.
  ///   - inputs: files and folders that the page is made from.
  /// - Throws: `usage` or `cannotCreate`.
  public init(
    _ path: String, force: Bool, reading inputs: [String]
  ) throws(NetconvError) {
    try checkOutput(path, isNoneOf: inputs)
    destination = try Destination(
      file: path, replacing: .text(beginning: [Page.beginning]), force: force)
  }

  /// The path, as it was named.
  public var path: String { destination.path }

  /// Writes a page, whole or not at all.
  ///
  /// - Throws: `cannotCreate` or `inputOutput`; what stood there is then there still.
  func write(_ page: Page) throws(NetconvError) {
    try AtomicFile.write(to: destination) { file throws(NetconvError) in
      try file.write(page.bytes, at: 0)
    }
  }
}

/// Checks that no file that is read is the one at `path`, whatever it is called there.
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
