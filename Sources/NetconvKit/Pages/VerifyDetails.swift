import ModelIR
import Pages

/// The contents of a page about a verification, in addition to the report.
struct VerifyDetails: Sendable, Encodable {
  /// The maximum number of images of a kind that are shown.
  private static let limit = 48

  /// The graph of the model.
  let graph: PageGraph
  /// The noun for samples.
  var noun = "samples"
  /// The names of the classes by index; empty if they are unknown.
  let classes: [String]
  /// Misclassified images, those with the largest margin first.
  let wrong: [Example]
  /// The number of misclassified images.
  let wrongCount: Int
  /// Images for which the predictions of two models differ, in order.
  let flips: [Example]

  /// An image, with its predictions.
  struct Example: Sendable, Encodable {
    /// The index of the image in the data set, from 0.
    let index: Int
    /// The file name of a picture; `nil` for an array.
    let name: String?
    /// The labelled class.
    let label: Int
    /// The predicted class; `nil` if outputs are not finite.
    let found: Int?
    /// The margin to the second class; `nil` if it is not finite.
    let margin: Double?
    /// The largest outputs.
    let outputs: [LargestOutputs.Output]
    /// The class that the reference model predicts.
    let expected: Int?
    /// The reference model's margin to its second class.
    let expectedMargin: Double?
    /// The largest outputs of the reference model; empty without one.
    let expectedOutputs: [LargestOutputs.Output]
    /// The picture; `nil` if the sample is not an image.
    let picture: PagePicture?
  }

  /// Creates the contents for `model`, with the results of its run on labelled images, and of a reference model's.
  ///
  /// - Throws: any error from reading images.
  init(
    of model: Model, _ found: LabeledRun? = nil, _ expected: LabeledRun? = nil
  ) throws(NetconvError) {
    graph = PageGraph(of: model)
    classes = found?.images.classNames ?? []
    // If an image has several classes, none of them is the class of the image.
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
