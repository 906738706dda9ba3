import ModelIR

/// The smallest of two or more inputs, value by value.
public struct Minimum: MergeOperator {
  /// The name in documents.
  public static let name = "Minimum"
  /// min(x₀, x₁, …).
  public static let combination = MergeCombination.smallest

  /// A minimum.
  public init() {}

  /// Reads an object without attributes.
  public init(from decoder: any Decoder) throws {
    _ = try decoder.attributes(NoKeys.self)
  }
}
