import ModelIR

/// The mean of two or more inputs.
public struct Average: MergeOperator {
  /// The operator's name in documents.
  public static let name = "Average"
  /// (x₀ + x₁ + …) / n.
  public static let combination = MergeCombination.mean

  /// Creates a mean.
  public init() {}

  /// Decodes an object without attributes.
  public init(from decoder: any Decoder) throws {
    _ = try decoder.attributes(NoKeys.self)
  }
}
