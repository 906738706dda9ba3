import ModelIR

extension Quantized: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case `operator`
    case attributes
    case inputs
    case output
    case kernelScales
    case limits
    case biasRemainders
    case isAsymmetric
  }

  /// Decodes the operator, its attributes, and the quantisations; only what is not the default is stored.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.attributes(CodingKeys.self)
    let operation = try container.operation(named: .operator, .attributes)
    let limits = try container.decodeIfPresent([Int].self, forKey: .limits)
    if let limits, limits.count != 2 || limits[0] > limits[1] {
      throw DecodingError.dataCorruptedError(
        forKey: .limits, in: container,
        debugDescription: "limits are \(limits), expected the smallest and the largest integer")
    }
    self.init(
      operation,
      inputs: try container.value(.inputs, default: []),
      output: try container.decodeIfPresent(Quantization.self, forKey: .output),
      kernelScales: try container.value(.kernelScales, default: [Double]()).map { Float($0) },
      limits: limits.map { $0[0]...$0[1] },
      biasRemainders: try container.value(.biasRemainders, default: []),
      isAsymmetric: try container.value(.isAsymmetric, default: false))
  }

  /// Encodes the operator, its attributes, and the quantisations.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(operation, named: .operator, .attributes)
    if !inputs.isEmpty { try container.encode(inputs, forKey: .inputs) }
    try container.encodeIfPresent(output, forKey: .output)
    if !kernelScales.isEmpty {
      try container.encode(kernelScales.map { Double($0) }, forKey: .kernelScales)
    }
    if let output, limits != output.range {
      try container.encode([limits.lowerBound, limits.upperBound], forKey: .limits)
    }
    if isAsymmetric { try container.encode(true, forKey: .isAsymmetric) }
    if !biasRemainders.isEmpty { try container.encode(biasRemainders, forKey: .biasRemainders) }
  }

  /// Returns true if both compute the same operator with the same quantisations.
  public static func == (one: Quantized, other: Quantized) -> Bool {
    one.operation.isEqual(to: other.operation) && one.inputs == other.inputs
      && one.output == other.output && one.kernelScales == other.kernelScales
      && one.limits == other.limits
      && one.biasRemainders == other.biasRemainders
      && one.isAsymmetric == other.isAsymmetric
  }
}
