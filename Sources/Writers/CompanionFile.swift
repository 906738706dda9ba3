import Digests
import Documents
import ModelIR

/// An additional file in the folder and the archive, next to the tensors.
public struct CompanionFile: Sendable {
  /// The path in the folder and in the archive.
  public let name: String
  /// The contents of the file.
  public let bytes: [UInt8]

  /// Creates a file called `name`.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

extension Manifest.Goldens {
  /// Creates the record of goldens from the document, which is the first of `files`, and its values; `nil` if there are
  /// none.
  init?(_ files: [CompanionFile]) {
    guard let document = files.first else { return nil }
    self.init(
      file: document.name, sha256: hexadecimal(SHA256.hash(of: document.bytes)),
      values: files.dropFirst().map(\.name))
  }
}

extension Manifest {
  /// Returns a hash that identifies the weights of a conversion: the SHA-256 of the concatenated SHA-256s of its
  /// tensors, as hexadecimal digits.
  public static func weightsHash(of tensors: [String]) -> String {
    var hash = SHA256()
    for tensor in tensors { Array(tensor.utf8).withUnsafeBytes { hash.update($0) } }
    return hexadecimal(hash.finalize())
  }
}
