import ModelIR

/// Derives layers and roles from the names in a state dictionary.
///
/// Source: torch/nn/modules: `conv.py`, `linear.py`, `batchnorm.py`, `rnn.py`.
enum TorchNames {
  /// Returns the layer and role of each tensor: the layer is the text before the last dot, or before the last slash
  /// if no name has a dot.
  ///
  /// - Parameter network: The layer of a weight whose name has no dot, for a state dictionary of a single layer.
  static func scoped(
    _ tensors: [(name: String, stored: StoredTensor)], network: String
  ) -> [ScopedTensor] {
    let isDotted = tensors.contains { $0.name.contains(".") }
    let parts = tensors.map { tensor -> (layer: String, last: String) in
      let (scope, last) = tensor.name.splitAtLast(isDotted ? "." : "/")
      guard scope.isEmpty else { return (scope, last) }
      return (ownRoles[last] == nil && normalized[last] == nil ? last : network, last)
    }
    var layers: [String: Members] = [:]
    for (index, part) in parts.enumerated() {
      layers[part.layer, default: Members()].add(part.last, tensors[index].stored.shape ?? [])
    }
    return parts.enumerated().map { index, part in
      let isNormalisation = layers[part.layer]?.areOfNormalisation ?? false
      var stored = tensors[index].stored
      stored.name = tensors[index].name
      return ScopedTensor(
        layer: part.layer,
        role: (isNormalisation ? normalized[part.last] : nil) ?? ownRoles[part.last]
          ?? ParameterRole(rawValue: part.last),
        stored: stored)
    }
  }

  /// The names and shapes of a layer's tensors.
  private struct Members {
    private var weight: [Int]?
    private var bias: [Int]?
    private var hasRunningMean = false

    mutating func add(_ name: String, _ shape: [Int]) {
      switch name {
      case "weight": weight = shape
      case "bias": bias = shape
      case "running_mean": hasRunningMean = true
      default: break
      }
    }

    /// True if there are running means, or weight and bias are vectors of equal length.
    var areOfNormalisation: Bool { hasRunningMean || weight?.count == 1 && weight == bias }
  }

  private static let normalized: [String: ParameterRole] = [
    "weight": .gamma, "bias": .beta, "running_mean": .mean, "running_var": .variance,
  ]

  private static let ownRoles: [String: ParameterRole] = [
    "weight": .kernel, "bias": .bias, "weight_ih_l0": .inputKernel, "weight_hh_l0": .recurrent,
    "bias_ih_l0": .inputBias, "bias_hh_l0": .recurrentBias,
  ]
}
