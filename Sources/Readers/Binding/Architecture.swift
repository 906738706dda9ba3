/// A graph for weights that have none, and how the two come together.
public struct Architecture: Sendable, Equatable {
  /// A `model.json`, an architecture of Keras, or anything that netconv reads as a model.
  public var path: String
  /// Rules such as `features.{n}.weight=conv{#}.kernel`, for tensors that are not called like the layers.
  public var bindings: [String]
  /// Whose names and layouts the tensors have: `torch`, `mlx`, `tensorflow` or `keras`; `nil` if the source tells.
  public var convention: String?

  /// The graph at a path; by default tensors are bound by their names, and then by their order and shapes.
  public init(_ path: String, bindings: [String] = [], convention: String? = nil) {
    self.path = path
    self.bindings = bindings
    self.convention = convention
  }

  /// Whether anything is said of how tensors are bound.
  var saysHow: Bool { !bindings.isEmpty || convention != nil }
}
