import ModelIR

/// The document of a layers model of TensorFlow.js, down to the graph and every weight of no values.
enum TFJSTarget: FuzzTarget {
  static let name = "tfjs"

  static func parse(_ bytes: [UInt8]) throws {
    try readWeights(bytes, as: "tfjs-layers")
  }
}
