import Files
import ModelIR
import Numpy
import Zlib

/// Which files an output that is a single file may take the place of, judged by what is in them.
public struct ReplaceableFile: Sendable {
  /// What the output is: `an archive`.
  let kind: String
  /// Whether the file at a path may be replaced.
  let isOurs: @Sendable (_ path: String) -> Bool
  /// What is said of one that may not.
  let refusal: @Sendable (_ name: String) -> NetconvError

  init(
    _ kind: String, refusal: @escaping @Sendable (String) -> NetconvError = { .foreignFile($0) },
    isOurs: @escaping @Sendable (String) -> Bool
  ) {
    self.kind = kind
    self.refusal = refusal
    self.isOurs = isOurs
  }

  /// Any file at all; for those whose folder is known to be netconv's.
  static let everything = ReplaceableFile("a file") { _ in true }

  /// An array or an archive of arrays, by whomever.
  public static let numpy = ReplaceableFile(
    "a file", refusal: { _ in .notNumpy },
    isOurs: { path in
      guard let file = try? RandomAccessFile(path: path), let start = try? file.prefix(8) else {
        return false
      }
      return NumpyHeader.recognizes(start) || holdsArrays(file)
    })

  /// A text that netconv wrote, which begins with one of `beginnings`; or nothing.
  public static func text(beginning beginnings: [String]) -> ReplaceableFile {
    ReplaceableFile(
      "a file", refusal: { _ in .notOurText },
      isOurs: { path in
        guard let file = try? RandomAccessFile(path: path), let start = try? file.prefix(4096)
        else { return false }
        return start.isEmpty || beginnings.contains { start.starts(with: $0.utf8) }
      })
  }

  /// Whether a file is an archive of arrays, by whomever.
  static func holdsArrays(_ file: RandomAccessFile) -> Bool {
    guard let start = try? file.prefix(4), ZipArchive.isZip(start),
      let archive = try? ZipArchive(file)
    else { return false }
    return archive.entries.allSatisfy { $0.name.hasSuffix(".npy") }
  }
}
