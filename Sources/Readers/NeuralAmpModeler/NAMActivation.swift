import Documents
import ModelIR
import Operators

/// Activations as `.nam` files state them: a name, or an object with the function's numbers.
///
/// Source: NeuralAmpModelerCore, NAM/activations.cpp, `ActivationConfig::from_json`; neural-amp-modeler,
/// nam/models/_activations.py.
enum NAMActivation {
  private static let plain: [String: ActivationFunction] = [
    "Tanh": .tanh, "Hardtanh": .hardTanh, "ReLU": .relu, "Sigmoid": .sigmoid, "SiLU": .silu,
    "Hardswish": .hardSilu, "Softsign": .softsign, "LeakyReLU": .leakyReLU(negativeSlope: 0.01),
  ]

  /// The function of a value at `path`.
  ///
  /// - Throws: `badData` if it is not read.
  static func function(
    _ value: JSONValue?, at path: String
  ) throws(NetconvError) -> ActivationFunction {
    if let name = value?.string { return try named(name) }
    let any = try JSONFields(value, at: path, known: nil)
    // The trainer's own configuration says "name" where the format says "type".
    let key = any["type"] == nil && any["name"] != nil ? "name" : "type"
    let name = try any.string(key)
    switch name {
    case "LeakyReLU", "PReLU":
      let fields = try JSONFields(value, at: path, known: [key, "negative_slope"])
      // A slope of one number for all; PReLU's own default is the core's.
      return .leakyReLU(negativeSlope: try fields.number("negative_slope", default: 0.01))
    case "Hardtanh":
      let fields = try JSONFields(value, at: path, known: [key, "min_val", "max_val"])
      guard try fields.number("min_val", default: -1) == -1,
        try fields.number("max_val", default: 1) == 1
      else { throw .otherHardtanh(path) }
      return .hardTanh
    default:
      _ = try JSONFields(value, at: path, known: [key])
      return try named(name)
    }
  }

  private static func named(_ name: String) throws(NetconvError) -> ActivationFunction {
    guard let function = plain[name] else {
      throw .unknownNAMActivation(name, known: plain.keys + ["PReLU"])
    }
    return function
  }
}
