import ModelIR

/// What the names of a state dictionary say of layers and roles.
///
/// Source: torch/nn/modules: `conv.py`, `linear.py`, `batchnorm.py`, `rnn.py`.
enum TorchNames {
  /// Each tensor's layer and role: what stands before the last dot is the layer; where no name has a dot, before the last
  /// slash.
  ///
  /// - Parameter network: the layer of a weight whose name has no dot: what was saved is one layer.
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

  /// What the tensors of a layer say of it together.
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

    /// A normalisation has running means, or a weight and a bias that are two vectors as long as each other.
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
