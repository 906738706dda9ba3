import Documents

/// The document `manifest.json`.
enum ManifestTarget: FuzzTarget {
  static let name = "manifest"

  static func parse(_ bytes: [UInt8]) throws {
    _ = try Manifest.decode(bytes)
    try rewritten(Manifest.self, bytes)
  }
}
