import ModelIR
import Operators

/// A parameter that is missing or has no effect.
enum MissingParameterMistake: Mistake {
  static func repairs(of layer: LayerCase, _ evidence: Evidence) -> [Repair] {
    guard let expected = evidence.expected else {
      return estimatedBias(of: layer, evidence).map { [$0] } ?? []
    }
    return expected.parameters.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap {
      role, right -> Repair? in
      let neutral = role.neutralValue
      let found = layer.parameters[role]
      if let found {
        guard found.values.values.allSatisfy({ $0 == neutral }),
          found.values.values != right.values.values
        else { return nil }
      }
      return repair(role, values: right, found: found == nil ? nil : neutral)
    } + surplus(of: layer, expected)
  }

  private static func repair(
    _ role: ParameterRole, values: LayerCase.Parameter, found: Float?
  ) -> Repair {
    Repair(
      .missingParameter,
      found.map { "\(role) is \(Int($0)) everywhere" } ?? "\(role) is missing",
      advice: "write \(role)", role: role
    ) { layer in
      layer.parameters[role] = values
    }
  }

  /// Parameters that the source does not have.
  private static func surplus(of layer: LayerCase, _ expected: LayerCase) -> [Repair] {
    layer.parameters.filter { expected.parameters[$0.key] == nil && !$0.value.doesNothing }.keys
      .sorted {
        $0.rawValue < $1.rawValue
      }.map { role in
        Repair(
          .missingParameter, "\(role) is present, though the source has none",
          advice: "leave \(role) out", role: role
        ) { layer in
          layer.parameters[role] = nil
        }
      }
  }

  /// An estimate of the bias from the outputs, if the right one is unknown.
  ///
  /// The bias is the error at all positions of a channel, and constant there. Under a rectifier,
  /// only positions above the threshold count.
  private static func estimatedBias(of layer: LayerCase, _ evidence: Evidence) -> Repair? {
    guard let activation = (layer.operation as? any ActivatedOperator)?.activation,
      let inverse = activation.inverse, !layer.kernels.isEmpty,
      layer.parameters[.bias].map({ $0.values.values.allSatisfy { $0 == 0 } }) ?? true
    else { return nil }
    let output = evidence.output
    return Repair(
      .missingParameter, "bias is missing",
      advice: "write bias; its values can be computed from the outputs",
      role: .bias
    ) { layer throws(NetconvError) in
      var sums = layer
      sums.activation = .linear
      let without = try sums.output(.fast) {}
      guard let channels = output.shape.last, without.count == output.count else { return }
      var bias = [Float](repeating: 0, count: channels)
      var best = [Double](repeating: -.infinity, count: channels)
      for index in output.values.indices {
        let wanted = inverse(Double(output.values[index]))
        guard let wanted, wanted.certainty > best[index % channels] else { continue }
        best[index % channels] = wanted.certainty
        bias[index % channels] = Float(wanted.value - Double(without.values[index]))
      }
      let spec = ParameterSpec(.bias, .vector, .o, [.outputChannels: channels], isOptional: true)
      layer.parameters[.bias] = LayerCase.Parameter(
        spec: spec, values: NDArray(shape: [channels], values: bias), elementType: .float32,
        declared: [LayerCase.DeclaredLayout(.o)])
    }
  }
}

extension ParameterRole {
  /// The value with which an optional parameter has no effect.
  var neutralValue: Float { self == .gamma || self == .variance ? 1 : 0 }
}

extension ActivationFunction {
  /// Returns the argument for a value of the function, and its certainty.
  fileprivate var inverse: (@Sendable (Double) -> (value: Double, certainty: Double)?)? {
    switch self {
    case .linear: { ($0, 0) }
    case .relu(let largest, let slope, let threshold) where slope >= 0:
      { $0 > max(0, threshold) && $0 < largest ?? .infinity ? ($0, $0) : nil }
    case .leakyReLU(let factor) where factor >= 0, .elu(let factor) where factor >= 0:
      { $0 > 0 ? ($0, $0) : nil }
    case .selu: { $0 > 0 ? ($0 / Self.seluScale, $0) : nil }
    default: nil
    }
  }
}
