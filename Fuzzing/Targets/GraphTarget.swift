/// A frozen TensorFlow graph, including the values of its layers.
enum GraphTarget: FuzzTarget {
  static let name = "graph"

  static func parse(_ bytes: [UInt8]) throws {
    try parseGraph(bytes, format: "tensorflow-graph")
  }
}
