/// What tells a tensor of a network from the others: its layer and its role there.
public struct TensorKey: Sendable, Hashable {
  /// The name of the layer.
  public let layer: String
  /// What the tensor is in the layer.
  public let role: ParameterRole

  /// The tensor of a role in a layer.
  public init(layer: String, role: ParameterRole) {
    self.layer = layer
    self.role = role
  }
}

extension Tensor {
  /// The layer and the role.
  public var key: TensorKey { TensorKey(layer: layer, role: spec.role) }
}
