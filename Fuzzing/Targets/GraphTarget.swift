/// A frozen graph of TensorFlow: what becomes of its nodes, down to the values of its layers.
enum GraphTarget: FuzzTarget {
  static let name = "graph"

  static func parse(_ bytes: [UInt8]) throws {
    try parseGraph(bytes, format: "tensorflow-graph")
  }
}
