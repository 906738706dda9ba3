import Documents
import ModelIR

/// What a search for the preparation of pixels has found.
public struct PreparationReport: Sendable, Encodable {
  /// Images that each was tried on.
  public let images: Int
  /// What was tried, the best first.
  public let tried: [Row]
  /// The one that stands out: the lower end of its interval lies above the upper end of every other's.
  public let found: Row?
  /// Whether that is what was done anyway.
  public let isUsed: Bool
  /// What sets it: a request, or a key of `model.json`.
  public let setting: Message?
  /// Those that stand out together, since the network sees the same through them.
  public let alike: [String]

  /// A preparation that was tried.
  public struct Row: Sendable {
    /// What was done to pixels.
    public let steps: [PixelStep]
    /// The same, for people.
    public let text: String
    /// What gives the same pixels of these images.
    public let equals: [String]
    /// Images whose class was recognised.
    public let correct: Int
    /// Over the number of images.
    public let accuracy: Double
    /// The 95 % Wilson interval, lower and upper end.
    public let interval: [Double]
  }

  /// What becomes of the rows.
  enum Verdict {
    case none
    case found(Int)
    case alike([Int])
  }

  init(
    images: Int, rows: [Row], verdict: Verdict, used: [PixelStep], facts: PixelFacts
  ) {
    self.images = images
    // Sorting by number too keeps equals in the order in which they were tried.
    tried = rows.enumerated().sorted {
      ($1.element.correct, $0.offset) < ($0.element.correct, $1.offset)
    }
    .map(\.element)
    switch verdict {
    case .none: (found, alike) = (nil, [])
    case .found(let index): (found, alike) = (rows[index], [])
    case .alike(let indices): (found, alike) = (nil, indices.map { rows[$0].text })
    }
    isUsed = found.map { $0.text == used.words || $0.equals.contains(used.words) } ?? false
    setting = found.map { Self.setting($0.steps, facts) }
  }
}

extension PreparationReport.Row: Encodable {
  private enum CodingKeys: String, CodingKey {
    case steps
    case text
    case equals
    case correct
    case accuracy
    case interval
  }

  init(_ steps: [PixelStep], equals: [[PixelStep]], correct: Int, of count: Int) {
    self.steps = steps
    text = steps.words
    self.equals = equals.map(\.words)
    self.correct = correct
    accuracy = Double(correct) / Double(count)
    let wilson = WilsonInterval(successes: correct, of: count)
    interval = [wilson.lower, wilson.upper]
  }

  /// Writes the steps as `model.json` has them.
  public func encode(to encoder: any Encoder) throws {
    var document = encoder.container(keyedBy: CodingKeys.self)
    try document.encode(steps.map(PixelStepDocument.init), forKey: .steps)
    try document.encode(text, forKey: .text)
    try document.encode(equals, forKey: .equals)
    try document.encode(correct, forKey: .correct)
    try document.encode(accuracy, forKey: .accuracy)
    try document.encode(interval, forKey: .interval)
  }
}
