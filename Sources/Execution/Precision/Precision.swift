/// The precision that a model is computed in; Docs/precision.md defines each.
public enum Precision: String, CaseIterable, Sendable {
  /// Every value is a float32.
  case float32
  /// The input, every stored activation and every kernel are rounded to half precision; biases, the parameters of
  /// normalisations and sums are float32. So do Metal's graphs compute on half images.
  case float16
}
