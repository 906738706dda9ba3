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
    var shapes: [String: [String: [Int]]] = [:]
    for (part, tensor) in zip(parts, tensors) {
      shapes[part.layer, default: [:]][part.last] = tensor.stored.shape ?? []
    }
    return zip(parts, tensors).map { part, tensor in
      ScopedTensor(
        layer: part.layer, role: role(part.last, among: shapes[part.layer] ?? [:]),
        stored: tensor.stored)
    }
  }

  /// A normalisation has running means, or a weight and a bias that are two vectors as long as each other.
  private static func role(_ name: String, among shapes: [String: [Int]]) -> ParameterRole {
    let isVector = shapes["weight"]?.count == 1 && shapes["weight"] == shapes["bias"]
    if shapes["running_mean"] != nil || isVector, let role = normalized[name] { return role }
    return ownRoles[name] ?? ParameterRole(rawValue: name)
  }

  private static let normalized: [String: ParameterRole] = [
    "weight": .gamma, "bias": .beta, "running_mean": .mean, "running_var": .variance,
  ]

  private static let ownRoles: [String: ParameterRole] = [
    "weight": .kernel, "bias": .bias, "weight_ih_l0": .inputKernel, "weight_hh_l0": .recurrent,
    "bias_ih_l0": .inputBias, "bias_hh_l0": .recurrentBias,
  ]
}
