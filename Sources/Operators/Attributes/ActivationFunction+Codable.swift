import ModelIR

extension ActivationFunction: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case function
    case maxValue
    case negativeSlope
    case threshold
    case alpha
    case axis
    case slope
    case approximate
    case b
    case value
  }

  /// Decodes a name, `"relu"`, or an object with the function's parameters, `{"function": "elu", "alpha": 0.5}`.
  public init(from decoder: any Decoder) throws {
    if let name = try? decoder.singleValueContainer().decode(String.self) {
      guard let function = Self.plain[name] else { throw Self.unknown(name, decoder) }
      self = function
      return
    }
    let attributes = try decoder.attributes(CodingKeys.self)
    let name = try attributes.decode(String.self, forKey: .function)
    switch name {
    case "relu":
      self = .relu(
        maxValue: try attributes.decodeIfPresent(Double.self, forKey: .maxValue),
        negativeSlope: try attributes.value(.negativeSlope, default: 0),
        threshold: try attributes.value(.threshold, default: 0))
    case "leakyRelu":
      self = .leakyReLU(negativeSlope: try attributes.value(.negativeSlope, default: 0.3))
    case "elu": self = .elu(alpha: try attributes.value(.alpha, default: 1))
    case "softmax": self = .softmax(axis: try attributes.value(.axis, default: -1))
    case "logSoftmax": self = .logSoftmax(axis: try attributes.value(.axis, default: -1))
    case "hardSigmoid": self = .hardSigmoid(slope: try attributes.value(.slope, default: 1 / 6))
    case "gelu":
      self = .gelu(approximate: try attributes.value(.approximate, default: false))
    case "celu": self = .celu(alpha: try attributes.value(.alpha, default: 1))
    case "hardShrink":
      self = .hardShrink(threshold: try attributes.value(.threshold, default: 0.5))
    case "softShrink":
      self = .softShrink(threshold: try attributes.value(.threshold, default: 0.5))
    case "squareplus": self = .squareplus(b: try attributes.value(.b, default: 4))
    case "threshold":
      self = .threshold(
        threshold: try attributes.decode(Double.self, forKey: .threshold),
        value: try attributes.decode(Double.self, forKey: .value))
    default:
      guard let function = Self.plain[name] else { throw Self.unknown(name, decoder) }
      self = function
    }
  }

  /// Encodes only the name if all parameters have their defaults.
  public func encode(to encoder: any Encoder) throws {
    if let name = Self.plain.first(where: { $0.value == self })?.key {
      var container = encoder.singleValueContainer()
      try container.encode(name)
      return
    }
    var attributes = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .relu(let maxValue, let negativeSlope, let threshold):
      try attributes.encode("relu", forKey: .function)
      try attributes.encodeIfPresent(maxValue, forKey: .maxValue)
      try attributes.encode(negativeSlope, forKey: .negativeSlope)
      try attributes.encode(threshold, forKey: .threshold)
    case .leakyReLU(let negativeSlope):
      try attributes.encode("leakyRelu", forKey: .function)
      try attributes.encode(negativeSlope, forKey: .negativeSlope)
    case .elu(let alpha):
      try attributes.encode("elu", forKey: .function)
      try attributes.encode(alpha, forKey: .alpha)
    case .softmax(let axis):
      try attributes.encode("softmax", forKey: .function)
      try attributes.encode(axis, forKey: .axis)
    case .logSoftmax(let axis):
      try attributes.encode("logSoftmax", forKey: .function)
      try attributes.encode(axis, forKey: .axis)
    case .hardSigmoid(let slope):
      try attributes.encode("hardSigmoid", forKey: .function)
      try attributes.encode(slope, forKey: .slope)
    case .gelu(let approximate):
      try attributes.encode("gelu", forKey: .function)
      try attributes.encode(approximate, forKey: .approximate)
    case .celu(let alpha):
      try attributes.encode("celu", forKey: .function)
      try attributes.encode(alpha, forKey: .alpha)
    case .hardShrink(let threshold):
      try attributes.encode("hardShrink", forKey: .function)
      try attributes.encode(threshold, forKey: .threshold)
    case .softShrink(let threshold):
      try attributes.encode("softShrink", forKey: .function)
      try attributes.encode(threshold, forKey: .threshold)
    case .squareplus(let b):
      try attributes.encode("squareplus", forKey: .function)
      try attributes.encode(b, forKey: .b)
    case .threshold(let threshold, let value):
      try attributes.encode("threshold", forKey: .function)
      try attributes.encode(threshold, forKey: .threshold)
      try attributes.encode(value, forKey: .value)
    case .linear, .sigmoid, .tanh, .exponential, .softplus, .softsign, .hardTanh, .silu, .hardSilu,
      .selu, .mish, .logSigmoid, .tanhShrink, .sparsePlus, .sparseSigmoid:
      // These are always in `plain`.
      break
    }
  }

  /// The functions that are identified by a name alone.
  package static let plain: [String: ActivationFunction] = [
    "linear": .linear, "relu": .relu, "relu6": .relu6, "sigmoid": .sigmoid, "tanh": .tanh,
    "softmax": .softmax(axis: -1), "elu": .elu(alpha: 1),
    "leakyRelu": .leakyReLU(negativeSlope: 0.3),
    "logSoftmax": .logSoftmax(axis: -1),
    "exponential": .exponential, "softplus": .softplus, "softsign": .softsign,
    "hardTanh": .hardTanh, "hardSigmoid": .hardSigmoid(slope: 1 / 6), "silu": .silu,
    "hardSilu": .hardSilu, "gelu": .gelu(approximate: false), "selu": .selu, "mish": .mish,
    "celu": .celu(alpha: 1), "logSigmoid": .logSigmoid, "hardShrink": .hardShrink(threshold: 0.5),
    "softShrink": .softShrink(threshold: 0.5), "tanhShrink": .tanhShrink,
    "sparsePlus": .sparsePlus, "sparseSigmoid": .sparseSigmoid, "squareplus": .squareplus(b: 4),
  ]

  private static func unknown(_ name: String, _ decoder: any Decoder) -> DecodingError {
    let known = (plain.keys + ["threshold"]).sorted()
    return .dataCorrupted(
      .init(
        codingPath: decoder.codingPath,
        debugDescription: "unknown activation \(quoted(name)); known are "
          + known.joined(separator: ", ") + didYouMean(name, among: known)))
  }
}
