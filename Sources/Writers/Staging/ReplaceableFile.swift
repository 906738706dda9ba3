import Files
import ModelIR
import Numpy
import Zlib

/// Which files an output that is a single file may take the place of, judged by what is in them.
public struct ReplaceableFile: Sendable {
  /// What the output is: `an archive`.
  let kind: String
  /// Whether a file may be replaced; `nil` for any, also one that nobody may read.
  private let recognizes: (@Sendable (RandomAccessFile) throws(NetconvError) -> Bool)?
  /// What is said of one that may not.
  let refusal: @Sendable (_ name: String) -> NetconvError

  init(
    _ kind: String, refusal: @escaping @Sendable (String) -> NetconvError = { .foreignFile($0) },
    recognizes: (@Sendable (RandomAccessFile) throws(NetconvError) -> Bool)?
  ) {
    self.kind = kind
    self.refusal = refusal
    self.recognizes = recognizes
  }

  /// Whether the file at `path` may be replaced.
  ///
  /// - Throws: what reading it throws; that it is damaged says only that it is not netconv's.
  func isOurs(_ path: String) throws(NetconvError) -> Bool {
    guard let recognizes else { return true }
    do throws(NetconvError) {
      return try recognizes(RandomAccessFile(path: path))
    } catch {
      guard error.isOfReading else { return false }
      throw error
    }
  }

  /// Any file at all; for those whose folder is known to be netconv's.
  static let everything = ReplaceableFile("a file", recognizes: nil)

  /// An array or an archive of arrays, by whomever.
  public static let numpy = ReplaceableFile(
    "a file", refusal: { _ in .notNumpy },
    recognizes: { file throws(NetconvError) in
      if try NumpyHeader.recognizes(file.prefix(8)) { return true }
      return try holdsArrays(file)
    })

  /// A text that netconv wrote, which begins with one of `beginnings`; or nothing.
  public static func text(beginning beginnings: [String]) -> ReplaceableFile {
    ReplaceableFile(
      "a file", refusal: { _ in .notOurText },
      recognizes: { file throws(NetconvError) in
        let start = try file.prefix(4096)
        return start.isEmpty || beginnings.contains { start.starts(with: $0.utf8) }
      })
  }

  /// Whether a file is an archive of arrays, by whomever.
  ///
  /// - Throws: what reading it throws.
  static func holdsArrays(_ file: RandomAccessFile) throws(NetconvError) -> Bool {
    guard try ZipArchive.isZip(file.prefix(4)) else { return false }
    return try ZipArchive(file).entries.allSatisfy { $0.name.hasSuffix(".npy") }
  }
}

extension NetconvError {
  /// Whether a file could not be read, so that nobody knows whether it is damaged.
  var isOfReading: Bool { kind == .cannotOpen || kind == .inputOutput }
}
