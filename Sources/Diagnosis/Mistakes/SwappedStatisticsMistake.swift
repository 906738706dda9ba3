import ModelIR

/// Exchanged parameters of a normalisation, or the deviation instead of the variance.
enum SwappedStatisticsMistake: Mistake {
  static func repairs(of layer: LayerCase, _ evidence: Evidence) -> [Repair] {
    swaps(of: layer) + forms(of: layer)
  }

  /// Every pair of parameters that may be exchanged: they are adjacent in files, and each framework
  /// has another order.
  private static func swaps(of layer: LayerCase) -> [Repair] {
    let roles: [ParameterRole] = [.gamma, .beta, .mean, .variance].filter {
      layer.parameters[$0] != nil
    }
    return roles.indices.flatMap { first in
      roles[(first + 1)...].compactMap { other -> Repair? in
        let one = roles[first]
        guard layer.parameters[one]?.values.shape == layer.parameters[other]?.values.shape else {
          return nil
        }
        return Repair(
          .swappedStatistics, "\(one) and \(other) are swapped",
          advice: "swap \(one) and \(other); Keras writes gamma, beta, mean, variance",
          role: one
        ) { layer in
          let values = layer.parameters[one]?.values
          if let others = layer.parameters[other]?.values { layer.parameters[one]?.values = others }
          if let values { layer.parameters[other]?.values = values }
        }
      }
    }
  }

  private static func forms(of layer: LayerCase) -> [Repair] {
    guard let variance = layer.parameters[.variance]?.values,
      variance.values.allSatisfy({ $0 >= 0 })
    else { return [] }
    let epsilon = layer.epsilon ?? 0
    let forms: [(String, @Sendable (Double) -> Double)] = [
      ("variance holds the standard deviation", { $0 * $0 }),
      ("variance holds the variance with epsilon added", { $0 - epsilon }),
      (
        "variance holds the standard deviation, of the variance with epsilon", { $0 * $0 - epsilon }
      ),
      ("variance holds one over the variance", { 1 / $0 }),
      (
        "variance holds one over the standard deviation, of the variance with epsilon",
        { 1 / ($0 * $0) - epsilon }
      ),
    ]
    return forms.map { finding, form in
      Repair(
        .swappedStatistics, finding, advice: "write the variance itself", role: .variance
      ) { layer in
        layer.parameters[.variance]?.values = variance.map { Float(form(Double($0))) }
      }
    }
  }
}
