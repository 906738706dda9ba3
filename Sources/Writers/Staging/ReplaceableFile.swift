import Files
import ModelIR
import Numpy
import Zlib

/// The files that a single-file output may replace, judged by their contents.
public struct ReplaceableFile: Sendable {
  /// The description of the output: `an archive`.
  let kind: String
  /// Returns true if a file may be replaced; `nil` allows any file, even an unreadable one.
  private let recognizes: (@Sendable (RandomAccessFile) throws(NetconvError) -> Bool)?
  /// Returns the error for a file that may not be replaced.
  let refusal: @Sendable (_ name: String) -> NetconvError

  init(
    _ kind: String, refusal: @escaping @Sendable (String) -> NetconvError = { .foreignFile($0) },
    recognizes: (@Sendable (RandomAccessFile) throws(NetconvError) -> Bool)?
  ) {
    self.kind = kind
    self.refusal = refusal
    self.recognizes = recognizes
  }

  /// Returns true if the file at `path` may be replaced.
  ///
  /// - Throws: any error in reading the file; a damaged file is simply not netconv's.
  func isOurs(_ path: String) throws(NetconvError) -> Bool {
    guard let recognizes else { return true }
    do throws(NetconvError) {
      return try recognizes(RandomAccessFile(path: path))
    } catch {
      guard error.isOfReading else { return false }
      throw error
    }
  }

  /// Any file; for folders that are known to be netconv's.
  static let everything = ReplaceableFile("a file", recognizes: nil)

  /// An array or an archive of arrays, written by any program.
  public static let numpy = ReplaceableFile(
    "a file", refusal: { _ in .notNumpy },
    recognizes: { file throws(NetconvError) in
      if try NumpyHeader.recognizes(file.prefix(8)) { return true }
      return try holdsArrays(file)
    })

  /// Returns the rule for texts written by netconv, which start with one of `beginnings`, and for empty files.
  public static func text(beginning beginnings: [String]) -> ReplaceableFile {
    ReplaceableFile(
      "a file", refusal: { _ in .notOurText },
      recognizes: { file throws(NetconvError) in
        let start = try file.prefix(4096)
        return start.isEmpty || beginnings.contains { start.starts(with: $0.utf8) }
      })
  }

  /// Returns true if a file is an archive of arrays, written by any program.
  ///
  /// - Throws: any error in reading the file.
  static func holdsArrays(_ file: RandomAccessFile) throws(NetconvError) -> Bool {
    guard try ZipArchive.isZip(file.prefix(4)) else { return false }
    return try ZipArchive(file).entries.allSatisfy { $0.name.hasSuffix(".npy") }
  }
}

extension NetconvError {
  /// True if a file could not be read, so that it is unknown whether it is damaged.
  var isOfReading: Bool { kind == .cannotOpen || kind == .inputOutput }
}

extension NetconvError {
  fileprivate static var notNumpy: NetconvError {
    NetconvError(
      .cannotCreate,
      text: "is neither an .npy nor an .npz file by its content; \(.force) replaces only these")
  }

  fileprivate static var notOurText: NetconvError {
    NetconvError(
      .cannotCreate,
      "holds something that netconv did not write; move it away, or choose another path")
  }
}
