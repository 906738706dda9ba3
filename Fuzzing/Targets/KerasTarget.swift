import ModelIR
import Readers

/// Configurations of Keras, down to the graph.
enum KerasTarget: FuzzTarget {
  static let name = "keras"

  static func parse(_ bytes: [UInt8]) throws {
    _ = try kerasModel(configuration: bytes, file: "config.json")
  }
}
