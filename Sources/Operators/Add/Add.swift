import ModelIR

/// The sum of two or more inputs.
public struct Add: MergeOperator {
  /// The operator's name in documents.
  public static let name = "Add"
  /// x₀ + x₁ + ….
  public static let combination = MergeCombination.sum

  /// Creates a sum.
  public init() {}

  /// Decodes an object without attributes.
  public init(from decoder: any Decoder) throws {
    _ = try decoder.attributes(NoKeys.self)
  }
}
