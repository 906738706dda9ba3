import ModelIR

/// Neural Amp Modeler models, including the graph and all weights.
enum NeuralAmpModelerTarget: FuzzTarget {
  static let name = "nam"

  static func parse(_ bytes: [UInt8]) throws {
    try readWeights(bytes, as: name)
  }
}
