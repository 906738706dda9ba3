import ModelIR

/// Models of Neural Amp Modeler, down to the graph and every weight.
enum NeuralAmpModelerTarget: FuzzTarget {
  static let name = "nam"

  static func parse(_ bytes: [UInt8]) throws {
    try readWeights(bytes, as: name)
  }
}
