/// A TensorFlow `.meta` file with its checkpoint.
enum MetaGraphTarget: FuzzTarget {
  static let name = "meta-graph"

  static func parse(_ bytes: [UInt8]) throws {
    try GraphWithVariables(bytes)?.read(
      graphName: "model.meta", prefix: "model", opening: "model.meta")
  }
}
