import ModelIR

/// The difference of two inputs.
public struct Subtract: MergeOperator {
  /// The operator's name in documents.
  public static let name = "Subtract"
  /// x₀ - x₁.
  public static let combination = MergeCombination.difference

  /// Creates a difference.
  public init() {}

  /// Decodes an object without attributes.
  public init(from decoder: any Decoder) throws {
    _ = try decoder.attributes(NoKeys.self)
  }
}
