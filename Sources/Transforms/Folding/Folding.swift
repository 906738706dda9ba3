import ModelIR

/// A model without the folded layers, and a record of what was folded.
public struct Folding: Sendable {
  /// A layer that was folded into another.
  public struct Folded: Sendable, Equatable {
    /// The removed layer.
    public let layer: String
    /// The layer's operator.
    public let operation: String
    /// The layer whose parameters changed; it replaces the removed layer as an input.
    public let into: String
    /// The roles of the parameters that changed, in ``into``.
    public let roles: [ParameterRole]
    /// True if the bias was created by folding.
    public let createsBias: Bool
    /// The locations of the removed layer's parameters in the source.
    public let parameters: [String]
  }

  /// A layer that could not be folded.
  public struct Kept: Sendable, Equatable {
    /// The layer.
    public let layer: String
    /// The layer's operator.
    public let operation: String
    /// The reason as text.
    public let reason: String
  }

  /// The remaining model.
  public let model: Model
  /// The removed layers, in the order of the model.
  public let folded: [Folded]
  /// The layers of the same types that were kept, in the order of the model.
  public let kept: [Kept]
}
