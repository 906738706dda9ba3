import ModelIR
import Pages

/// What a page shows of a verification besides its report.
struct VerifyDetails: Sendable, Encodable {
  /// The most images of a kind that are shown.
  private static let limit = 48

  /// The model.
  let graph: PageGraph
  /// What samples are called.
  var noun = "samples"
  /// What the classes are called, by their numbers; empty if nobody says.
  let classes: [String]
  /// Images that were not recognised, those first that the model was surest of.
  let wrong: [Example]
  /// How many there are.
  let wrongCount: Int
  /// Images that two models see differently, in their order.
  let flips: [Example]

  /// An image, and what models see in it.
  struct Example: Sendable, Encodable {
    /// Which image of the data set, counted from 0.
    let index: Int
    /// The file of a picture; `nil` of an array.
    let name: String?
    /// The class that it is labelled with.
    let label: Int
    /// The class that was seen; `nil` if outputs are not finite.
    let found: Int?
    /// How far it is from the second; `nil` if that is not finite.
    let margin: Double?
    /// The largest outputs.
    let outputs: [LargestOutputs.Output]
    /// The class that the model compared with sees.
    let expected: Int?
    /// How far that is from the second that it sees.
    let expectedMargin: Double?
    /// The largest outputs of the model compared with; none without one.
    let expectedOutputs: [LargestOutputs.Output]
    /// How it looks; `nil` if it is no image.
    let picture: PagePicture?
  }

  /// What is seen of `model` that was run on labelled images, and so was the one compared with.
  ///
  /// - Throws: what reading images throws.
  init(
    of model: Model, _ found: LabeledRun? = nil, _ expected: LabeledRun? = nil
  ) throws(NetconvError) {
    graph = PageGraph(of: model)
    classes = found?.images.classNames ?? []
    // Of several classes for an image no one is the image's.
    guard let found, found.classifier.placeCount == 1 else {
      (wrong, wrongCount, flips) = ([], 0, [])
      return
    }
    let mistakes = found.predictions.indices.filter {
      found.predictions[$0].label != found.labels[$0]
    }
    wrongCount = mistakes.count
    let surest = mistakes.sorted { a, b in
      let (x, y) = (
        found.predictions[a].margin ?? .infinity, found.predictions[b].margin ?? .infinity
      )
      return x == y ? a < b : x > y
    }
    wrong = try Self.examples(surest.prefix(Self.limit), found, nil)
    guard let expected else {
      flips = []
      return
    }
    let flipped = found.predictions.indices.lazy.filter {
      found.predictions[$0].label != expected.predictions[$0].label
        || found.predictions[$0].label == nil
    }
    flips = try Self.examples(flipped.prefix(Self.limit), found, expected)
  }

  private static func examples(
    _ samples: some Sequence<Int>, _ found: LabeledRun, _ expected: LabeledRun?
  ) throws(NetconvError) -> [Example] {
    let pictures = SamplePicture(found.images, found.classifier.predictor.feed)
    var examples: [Example] = []
    for sample in samples {
      let prediction = found.predictions[sample]
      let other = expected?.predictions[sample]
      examples.append(
        Example(
          index: sample, name: found.images.fileName(of: sample), label: found.labels[sample],
          found: prediction.label,
          margin: prediction.margin.map(Double.init), outputs: found.largest?[sample] ?? [],
          expected: other?.label, expectedMargin: other?.margin.map(Double.init),
          expectedOutputs: expected?.largest?[sample] ?? [],
          picture: try pictures.picture(of: sample)))
    }
    return examples
  }
}
