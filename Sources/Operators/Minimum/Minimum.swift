import ModelIR

/// The element-wise minimum of two or more inputs.
public struct Minimum: MergeOperator {
  /// The operator's name in documents.
  public static let name = "Minimum"
  /// min(x₀, x₁, …).
  public static let combination = MergeCombination.smallest

  /// Creates a minimum.
  public init() {}

  /// Decodes an object without attributes.
  public init(from decoder: any Decoder) throws {
    _ = try decoder.attributes(NoKeys.self)
  }
}
