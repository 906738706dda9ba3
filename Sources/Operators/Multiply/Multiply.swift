import ModelIR

/// The product of two or more inputs.
public struct Multiply: MergeOperator {
  /// The name in documents.
  public static let name = "Multiply"
  /// x₀ · x₁ · ….
  public static let combination = MergeCombination.product

  /// A product.
  public init() {}

  /// Reads an object without attributes.
  public init(from decoder: any Decoder) throws {
    _ = try decoder.attributes(NoKeys.self)
  }
}
