import ModelIR

/// RTNeural's JSON, down to the graph and every weight.
enum RTNeuralTarget: FuzzTarget {
  static let name = "rtneural"

  static func parse(_ bytes: [UInt8]) throws {
    try readWeights(bytes, as: name)
  }
}
