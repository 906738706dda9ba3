/// A Core ML model in one file, including the values of its layers.
enum CoreMLTarget: FuzzTarget {
  static let name = "coreml"

  static func parse(_ bytes: [UInt8]) throws {
    try parseGraph(bytes, format: "coreml")
  }
}
