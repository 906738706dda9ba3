import ModelIR

/// The largest of two or more inputs, value by value.
public struct Maximum: MergeOperator {
  /// The name in documents.
  public static let name = "Maximum"
  /// max(x₀, x₁, …).
  public static let combination = MergeCombination.largest

  /// A maximum.
  public init() {}

  /// Reads an object without attributes.
  public init(from decoder: any Decoder) throws {
    _ = try decoder.attributes(NoKeys.self)
  }
}
