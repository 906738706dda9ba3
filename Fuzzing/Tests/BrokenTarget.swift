import FuzzTargets
import ModelIR

/// A parser with an internal error.
enum BrokenTarget: FuzzTarget {
  static let name = "broken"

  static func parse(_ bytes: [UInt8]) throws {
    throw NetconvError(.internal, "netconv is wrong")
  }
}
