/// A metric of a model's predictions.
public enum Metric: String, CaseIterable, Sendable, Codable {
  /// The fraction of correct predictions.
  case accuracy
  /// The mean absolute error.
  case mae
  /// The mean squared error.
  case mse
  /// The root of the mean squared error.
  case rmse
  /// The coefficient of determination. For each output, it is 1 minus the ratio of its squared errors to the squared
  /// distances of its targets from their mean; the metric is the mean over all outputs.
  ///
  /// Source: scikit-learn, `sklearn.metrics.r2_score` with `multioutput="uniform_average"`.
  case r2

  /// True if predictions are quantities rather than classes.
  public var isOfQuantities: Bool { self != .accuracy }

  /// True if the metric is an error, so that smaller is better.
  public var isError: Bool { isOfQuantities && self != .r2 }
}
