import ModelIR
import Readers

/// Keras configurations, up to the graph.
enum KerasTarget: FuzzTarget {
  static let name = "keras"

  static func parse(_ bytes: [UInt8]) throws {
    _ = try kerasModel(configuration: bytes, file: "config.json")
  }
}
