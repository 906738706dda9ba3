import ModelIR

extension ActivationFunction: Codable {
  private enum CodingKeys: String, CodingKey {
    case function
    case maxValue
    case negativeSlope
    case threshold
    case alpha
    case axis
  }

  /// Reads a name, `"relu"`, or an object with the function's numbers,
  /// `{"function": "elu", "alpha": 0.5}`.
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
    default:
      guard let function = Self.plain[name] else { throw Self.unknown(name, decoder) }
      self = function
    }
  }

  /// Writes the name alone where that says everything.
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
    case .linear, .sigmoid, .tanh:
      // Always in `plain`.
      break
    }
  }

  /// The functions that a name alone describes.
  private static let plain: [String: ActivationFunction] = [
    "linear": .linear, "relu": .relu, "relu6": .relu6, "sigmoid": .sigmoid, "tanh": .tanh,
    "softmax": .softmax(axis: -1), "elu": .elu(alpha: 1),
    "leakyRelu": .leakyReLU(negativeSlope: 0.3),
  ]

  private static func unknown(_ name: String, _ decoder: any Decoder) -> DecodingError {
    .dataCorrupted(
      .init(
        codingPath: decoder.codingPath,
        debugDescription: "unknown activation \(quoted(name)); known are "
          + plain.keys.sorted().joined(separator: ", ")))
  }
}
