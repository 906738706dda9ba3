import Documents
import ModelIR
import Operators

/// Activations in `.nam` files: a name, or an object with parameters.
///
/// Source: NeuralAmpModelerCore, NAM/activations.cpp, `ActivationConfig::from_json`; neural-amp-modeler,
/// nam/models/_activations.py.
enum NAMActivation {
  private static let plain: [String: ActivationFunction] = [
    "Tanh": .tanh, "Hardtanh": .hardTanh, "ReLU": .relu, "Sigmoid": .sigmoid, "SiLU": .silu,
    "Hardswish": .hardSilu, "Softsign": .softsign, "LeakyReLU": .leakyReLU(negativeSlope: 0.01),
  ]

  /// Returns the function for the value at `path`.
  ///
  /// - Throws: `badData` if it is not supported.
  static func function(
    _ value: JSONValue?, at path: String
  ) throws(NetconvError) -> ActivationFunction {
    if let name = value?.string { return try named(name) }
    let any = try JSONFields(value, at: path, known: nil)
    // The trainer's configuration uses the key "name" instead of "type".
    let key = any["type"] == nil && any["name"] != nil ? "name" : "type"
    let name = try any.string(key)
    switch name {
    case "LeakyReLU", "PReLU":
      let fields = try JSONFields(value, at: path, known: [key, "negative_slope"])
      // A single slope for all channels; PReLU has the default of the C++ core.
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

extension NetconvError {
  fileprivate static func unknownNAMActivation(_ name: String, known: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "the activation \(quoted(name)) is not read; known are "
        + known.sorted().joined(separator: ", "))
  }

  fileprivate static func otherHardtanh(_ place: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(place)) is Hardtanh with other bounds than -1 and 1, which the trainer computes and plugins do not; it is "
        + "not read")
  }
}
