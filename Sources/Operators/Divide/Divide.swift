import ModelIR

/// The quotient of two inputs.
public struct Divide: MergeOperator {
  /// The name in documents.
  public static let name = "Divide"
  /// x₀ / x₁.
  public static let combination = MergeCombination.quotient

  /// A quotient.
  public init() {}

  /// Reads an object without attributes.
  public init(from decoder: any Decoder) throws {
    _ = try decoder.attributes(NoKeys.self)
  }
}
