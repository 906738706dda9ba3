import Documents

/// The document `goldens.json`.
enum GoldensTarget: FuzzTarget {
  static let name = "goldens"

  static func parse(_ bytes: [UInt8]) throws {
    try rewritten(GoldensDocument.self, bytes)
  }
}
