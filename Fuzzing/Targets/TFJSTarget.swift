import ModelIR

/// The document of a TensorFlow.js layers model, including the graph and all weights without
/// values.
enum TFJSTarget: FuzzTarget {
  static let name = "tfjs"

  static func parse(_ bytes: [UInt8]) throws {
    try readWeights(bytes, as: "tfjs-layers")
  }
}
