/// A TensorFlow SavedModel with its variables.
enum SavedModelTarget: FuzzTarget {
  static let name = "saved-model"

  static func parse(_ bytes: [UInt8]) throws {
    try GraphWithVariables(bytes)?.read(
      graphName: "saved_model.pb", prefix: "variables/variables", opening: "")
  }
}
