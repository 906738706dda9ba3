extension VerifyReport {
  /// How the accuracy follows a parameter of a filter.
  public struct Sweep: Sendable, Encodable {
    /// What the filter is called: `blur`.
    public let filter: String
    /// A row for each parameter, in their order.
    public let rows: [Row]

    /// What came of one parameter.
    public struct Row: Sendable, Encodable {
      /// The parameter.
      public let value: Double
      /// Images that were run; of a model that gives several classes for each, these are counted.
      public let count: Int
      /// Images whose class was recognised.
      public let correct: Int
      /// ``correct`` over ``count``.
      public let accuracy: Double
      /// The 95 % Wilson interval, lower and upper end.
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

  /// Pictures to which the same was done.
  public struct PictureGroup: Sendable, Codable {
    /// What was done, for people.
    public let text: String
    /// How many pictures these are.
    public let count: Int
    /// The name of the first of them.
    public let first: String
  }
}
