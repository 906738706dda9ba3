import Documents
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

  /// A container that netconv wrote, which is all there is of the output.
  static func container(_ format: OutputFormat) -> ReplaceableFile {
    switch format {
    case .safetensors: .safetensors
    case .npz: .npz
    default: .archive
    }
  }

  private static let archive = ReplaceableFile("an archive") { path in
    guard let archive = try? ZipArchive(RandomAccessFile(path: path)),
      let entry = archive.entry(named: Manifest.fileName),
      let bytes = try? archive.contents(of: entry, limit: JSONDocument.sizeLimit)
    else { return false }
    return (try? Manifest.decode(bytes)) != nil
  }

  private static let safetensors = ReplaceableFile("a file") { path in
    guard let file = try? RandomAccessFile(path: path),
      let start = try? file.prefix(8),
      let length = try? SafetensorsHeader.length(start, fileSize: file.size),
      let json = try? file.bytes(at: 8, count: length),
      let header = try? SafetensorsHeader(json, dataSize: file.size - 8 - length)
    else { return false }
    return header.metadata[WeightsDocument.metadataKey] != nil
  }

  private static let npz = ReplaceableFile("a file") { path in
    guard let file = try? RandomAccessFile(path: path), holdsArrays(file) else { return false }
    let mark = NpzFormat.comment
    return (try? file.bytes(at: file.size - mark.count, count: mark.count)) == mark
  }

  private static func holdsArrays(_ file: RandomAccessFile) -> Bool {
    guard let start = try? file.prefix(4), ZipArchive.isZip(start),
      let archive = try? ZipArchive(file)
    else { return false }
    return archive.entries.allSatisfy { $0.name.hasSuffix(".npy") }
  }
}
