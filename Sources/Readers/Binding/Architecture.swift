/// A graph for weights that have none, with the rules that bind the weights to it.
public struct Architecture: Sendable, Equatable {
  /// The path of a `model.json`, a Keras architecture, or any source that netconv reads as a model.
  public var path: String
  /// Rules such as `features.{n}.weight=conv{#}.kernel`, for tensors whose names differ from those of the layers.
  public var bindings: [String]
  /// The naming and layout convention of the tensors: `torch`, `mlx`, `tensorflow` or `keras`; `nil` to infer it.
  public var convention: String?

  /// Creates an architecture; by default, tensors are bound by name, and then by order and shape.
  public init(_ path: String, bindings: [String] = [], convention: String? = nil) {
    self.path = path
    self.bindings = bindings
    self.convention = convention
  }

  /// True if rules or a convention are given.
  var saysHow: Bool { !bindings.isEmpty || convention != nil }
}
