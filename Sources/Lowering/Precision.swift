/// The precision of a run; Docs/precision.md defines each.
public enum Precision: String, CaseIterable, Sendable {
  /// All values are float32.
  case float32
  /// The input, every stored activation and every kernel are rounded to half precision.
  ///
  /// Biases, the parameters of normalisations and sums are float32. Metal's graphs on half-precision images compute the
  /// same way.
  case float16
}
