import Documents
import ModelIR

/// The result of a search for the preparation of pixels.
public struct PreparationReport: Sendable, Encodable {
  /// The number of images that each preparation was tried on.
  public let images: Int
  /// The preparations that were tried, best first.
  public let tried: [Row]
  /// The preparation that stands out: the lower bound of its interval is above the upper bound of every other
  /// interval.
  public let found: Row?
  /// True if that preparation was used anyway.
  public let isUsed: Bool
  /// The setting that selects it: options of a request, or a key of `model.json`.
  public let setting: Message?
  /// Preparations that stand out together, because the network predicts the same with each.
  public let alike: [String]

  /// A preparation that was tried.
  public struct Row: Sendable {
    /// The preprocessing of pixels.
    public let steps: [PixelStep]
    /// A human-readable description of the preprocessing.
    public let text: String
    /// Other preparations with the same result for these images.
    public let equals: [String]
    /// The number of correct predictions.
    public let correct: Int
    /// ``correct`` divided by the number of images.
    public let accuracy: Double
    /// The lower and upper bounds of the 95 % Wilson interval.
    public let interval: [Double]
  }

  /// The outcome of the search, by indices of rows.
  enum Verdict {
    case none
    case found(Int)
    case alike([Int])
  }

  init(
    images: Int, rows: [Row], verdict: Verdict, used: [PixelStep], facts: PixelFacts
  ) {
    self.images = images
    // Comparing indices as well keeps equal rows in the order in which they were tried.
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

  /// Encodes the steps as in `model.json`.
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

extension PreparationReport {
  /// Returns the options or the record that set a preparation.
  fileprivate static func setting(_ steps: [PixelStep], _ facts: PixelFacts) -> Message {
    let short: (scale: Double?, offset: Double?)? =
      steps.isEmpty ? (scale: 1, offset: nil) : steps.shortForm
    if let short {
      let settings: [Message?] = [
        short.scale.map { "\(.scale)=\(PixelStep.number($0))" },
        short.offset.map { "\(.offset)=\(PixelStep.number($0))" },
      ]
      return settings.compactMap(\.self).joined(separator: " ")
    }
    let documents = steps.map(PixelStepDocument.init)
    let list = (try? JSONDocument.encodeCompact(documents)).map {
      String(decoding: $0, as: UTF8.self)
    }
    let key: Message = "\"preprocessing\": \(list ?? "") at the input in model.json"
    if facts.type.isInteger { return key }
    return facts.largest > 1.5
      ? key + ", for images that are saved as bytes" : "images that are saved like this"
  }
}
