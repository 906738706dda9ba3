import Documents

/// A map of weights for `convert --map`.
enum MapTarget: FuzzTarget {
  static let name = "map"

  static func parse(_ bytes: [UInt8]) throws {
    try rewritten(WeightsMap.self, bytes)
  }
}
