import ModelIR

/// The quotient of two inputs.
public struct Divide: MergeOperator {
  /// The operator's name in documents.
  public static let name = "Divide"
  /// x₀ / x₁.
  public static let combination = MergeCombination.quotient

  /// Creates a quotient.
  public init() {}

  /// Decodes an object without attributes.
  public init(from decoder: any Decoder) throws {
    _ = try decoder.attributes(NoKeys.self)
  }
}
