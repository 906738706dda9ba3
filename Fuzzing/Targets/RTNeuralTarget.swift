import ModelIR

/// RTNeural's JSON, including the graph and all weights.
enum RTNeuralTarget: FuzzTarget {
  static let name = "rtneural"

  static func parse(_ bytes: [UInt8]) throws {
    try readWeights(bytes, as: name)
  }
}
