import ModelIR

/// A model without the layers that others have taken over, and what became of each.
public struct Folding: Sendable {
  /// A layer that another does on the way.
  public struct Folded: Sendable, Equatable {
    /// The layer that is gone.
    public let layer: String
    /// Its operator.
    public let operation: String
    /// The layer whose parameters changed; what read the one that is gone reads this one's values.
    public let into: String
    /// The roles that changed, of the layer ``into``.
    public let roles: [ParameterRole]
    /// Whether the bias is new.
    public let createsBias: Bool
    /// Where in the source the parameters of the layer are that is gone.
    public let parameters: [String]
  }

  /// A layer that had to stay.
  public struct Kept: Sendable, Equatable {
    /// The layer.
    public let layer: String
    /// Its operator.
    public let operation: String
    /// Why it stays, in words.
    public let reason: String
  }

  /// What is left.
  public let model: Model
  /// The layers that are gone, in the order of the model.
  public let folded: [Folded]
  /// Those of the same kinds that stay, in the order of the model.
  public let kept: [Kept]
}
