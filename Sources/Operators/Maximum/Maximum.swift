import ModelIR

/// The element-wise maximum of two or more inputs.
public struct Maximum: MergeOperator {
  /// The operator's name in documents.
  public static let name = "Maximum"
  /// max(x₀, x₁, …).
  public static let combination = MergeCombination.largest

  /// Creates a maximum.
  public init() {}

  /// Decodes an object without attributes.
  public init(from decoder: any Decoder) throws {
    _ = try decoder.attributes(NoKeys.self)
  }
}
