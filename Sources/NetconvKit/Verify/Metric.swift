/// What is measured of the predictions of a model.
public enum Metric: String, CaseIterable, Sendable, Codable {
  /// The fraction of classes that are recognised.
  case accuracy
  /// The mean absolute error.
  case mae
  /// The mean squared error.
  case mse
  /// The root of the mean squared error.
  case rmse
  /// The coefficient of determination: of each output, 1 less its squared errors over the squared distances of its
  /// targets from their mean; then the mean over all outputs.
  ///
  /// Source: scikit-learn, `sklearn.metrics.r2_score` with `multioutput="uniform_average"`.
  case r2

  /// Whether predictions are quantities, and not classes.
  public var isOfQuantities: Bool { self != .accuracy }

  /// Whether it is an error: the smaller, the better.
  public var isError: Bool { isOfQuantities && self != .r2 }
}
