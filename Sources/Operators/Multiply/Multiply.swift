import ModelIR

/// The product of two or more inputs.
public struct Multiply: MergeOperator {
  /// The operator's name in documents.
  public static let name = "Multiply"
  /// x₀ · x₁ · ….
  public static let combination = MergeCombination.product

  /// Creates a product.
  public init() {}

  /// Decodes an object without attributes.
  public init(from decoder: any Decoder) throws {
    _ = try decoder.attributes(NoKeys.self)
  }
}
