import Digests
import ModelIR

extension Manifest {
  /// The placeholder for ``sha256`` while the hash is computed.
  private static let blank = String(repeating: "0", count: 64)

  /// Returns the bytes of the file, including ``sha256``.
  ///
  /// - Throws: `internal` if a value cannot be represented in JSON.
  public func encoded() throws(NetconvError) -> [UInt8] {
    var manifest = self
    manifest.sha256 = Self.blank
    var compact = try JSONDocument.encodeCompact(manifest)
    guard let place = Self.place(of: Self.blank, in: compact) else {
      throw .cannotEncode("the manifest has no field for its SHA-256")
    }
    compact.replaceSubrange(place, with: hexadecimal(SHA256.hash(of: compact)).utf8)
    return JSONLayout.layOut(compact) + [0x0a]
  }

  /// Checks that `bytes`, from which this manifest was decoded, are unchanged apart from white space.
  ///
  /// - Throws: `badData`. A manifest from before manifests had a checksum is accepted.
  func checkChecksum(_ bytes: [UInt8]) throws(NetconvError) {
    guard let sha256 else { return }
    var compact = JSONLayout.compacted(bytes)
    guard let place = Self.place(of: sha256, in: compact) else {
      throw .changedManifest(stated: sha256, found: nil)
    }
    compact.replaceSubrange(place, with: Self.blank.utf8)
    let found = hexadecimal(SHA256.hash(of: compact))
    guard found == sha256 else { throw .changedManifest(stated: sha256, found: found) }
  }

  /// Returns the position of ``sha256`` in compact JSON, as opposed to the hashes of tensors.
  private static func place(of sha256: String, in compact: [UInt8]) -> Range<Int>? {
    let key = Array(#""sha256":""#.utf8)
    guard let range = compact.range(of: key + Array(sha256.utf8)) else { return nil }
    return range.lowerBound + key.count..<range.upperBound
  }
}
