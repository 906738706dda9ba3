/// The unique key of a tensor in a network: its layer and role.
public struct TensorKey: Sendable, Hashable {
  /// The name of the layer.
  public let layer: String
  /// The role in the layer.
  public let role: ParameterRole

  /// Creates the key of a role in a layer.
  public init(layer: String, role: ParameterRole) {
    self.layer = layer
    self.role = role
  }
}

extension Tensor {
  /// The layer and the role.
  public var key: TensorKey { TensorKey(layer: layer, role: spec.role) }
}
