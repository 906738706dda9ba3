extension VerifyReport {
  /// The accuracy as a function of a filter's parameter.
  public struct Sweep: Sendable, Encodable {
    /// The name of the filter, such as `blur`.
    public let filter: String
    /// A row for each value of the parameter, in order.
    public let rows: [Row]

    /// The result for one value of the parameter.
    public struct Row: Sendable, Encodable {
      /// The value of the parameter.
      public let value: Double
      /// The number of predictions: one for each image, unless a model predicts several classes for each.
      public let count: Int
      /// The number of correct predictions.
      public let correct: Int
      /// ``correct`` divided by ``count``.
      public let accuracy: Double
      /// The lower and upper bounds of the 95 % Wilson interval.
      public let interval: [Double]

      init(_ value: Double, correct: Int, of count: Int, dependent: Int) {
        self.value = value
        self.count = count
        self.correct = correct
        accuracy = Double(correct) / Double(count)
        let wilson = WilsonInterval(successes: correct, of: count, dependent: dependent)
        interval = [wilson.lower, wilson.upper]
      }
    }
  }

  /// Pictures with the same preprocessing.
  public struct PictureGroup: Sendable, Codable {
    /// A human-readable description of the preprocessing.
    public let text: String
    /// The number of pictures.
    public let count: Int
    /// The name of the first picture.
    public let first: String
  }
}
