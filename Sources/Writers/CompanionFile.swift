import Digests
import Documents
import ModelIR

/// A file that goes into the folder and the archive beside the tensors.
public struct CompanionFile: Sendable {
  /// Its path in the folder and in the archive.
  public let name: String
  /// What is in it.
  public let bytes: [UInt8]

  /// A file called `name`.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

extension Manifest.Goldens {
  /// The place of a document, the first of `files`, and of its values; `nil` if there is none.
  init?(_ files: [CompanionFile]) {
    guard let document = files.first else { return nil }
    self.init(
      file: document.name, sha256: hexadecimal(SHA256.hash(of: document.bytes)),
      values: files.dropFirst().map(\.name))
  }
}

extension Manifest {
  /// What tells the weights of one conversion from those of another: the SHA-256 of the tensors' SHA-256s, in
  /// hexadecimal, one after the other.
  public static func weightsHash(of tensors: [String]) -> String {
    var hash = SHA256()
    for tensor in tensors { Array(tensor.utf8).withUnsafeBytes { hash.update($0) } }
    return hexadecimal(hash.finalize())
  }
}
