import Datasets
import Execution
import ModelIR

/// A search among the usual preparations of pixels, on some images.
struct PreparationSearch {
  /// The maximum number of images on which each preparation is tried.
  static let imageLimit = 300
  /// The maximum processor time of all preparations together, in seconds.
  static let secondLimit = 20.0

  /// A preparation, and the predictions with it.
  private struct Trial {
    let steps: [PixelStep]
    let classifier: Classifier
    /// Other preparations with the same pixels.
    var equals: [[PixelStep]] = []
    var predictions: [Int?] = []
  }

  private let images: LabeledImages
  /// The class of each image.
  private let labels: [Int]
  private let facts: PixelFacts
  private var trials: [Trial] = []

  /// Creates a search on the images of a run.
  ///
  /// - Parameter limit: the number of images that may be used, starting with the first.
  /// - Throws: `usage` if the images cannot be preprocessed.
  init(_ run: LabeledRun, limit: Int?) throws(NetconvError) {
    images = try run.images.spread(Self.imageLimit, of: limit ?? run.images.count)
    labels = try run.classifier.labels(of: images)
    facts = try PixelFacts(run.images)
    let largest = facts.largest > 1.5 ? 255.0 : 1
    let channels = run.classifier.predictor.feed.order?.order == .channelsFirst ? 0 : 2
    let areColored = images.imageShape.count == 3 && images.imageShape[channels] == 3
    var samples: [[Float]] = []
    for steps in UsualPreparations.all(upTo: largest, areColored: areColored) {
      // A preparation whose shape does not fit the network cannot be its own.
      guard let classifier = try? run.classifier.trying(steps, on: images) else { continue }
      let sample = try classifier.predictor.feed.inputs(0..<min(8, images.count), in: images)
      let pixels = sample.values.first?.values ?? []
      if let index = samples.firstIndex(where: { Self.areEqual($0, pixels) }) {
        trials[index].equals.append(steps)
      } else {
        samples.append(pixels)
        trials.append(Trial(steps: steps, classifier: classifier))
      }
    }
  }

  /// True if pixels are equal up to rounding.
  private static func areEqual(_ first: [Float], _ second: [Float]) -> Bool {
    let bound = 1e-5 * max(first.reduce(0) { max($0, $1.magnitude) }, .leastNormalMagnitude)
    return first.count == second.count
      && zip(first, second).allSatisfy { ($0 - $1).magnitude <= bound }
  }

  /// Runs every preparation on as many images as the time allows, the same for all.
  ///
  /// - Throws: `badData` if the model cannot be run, or `interrupted`.
  mutating func report(
    used: [PixelStep], _ observer: Observer
  ) throws(NetconvError) -> PreparationReport {
    let start = ProcessorTime.seconds
    var done = 0
    var size = 1
    while done < images.count {
      if done > 0 {
        let spent = ProcessorTime.seconds - start
        let affordable = (Self.secondLimit - spent) / (spent / Double(done))
        guard affordable >= 1 else { break }
        size = affordable < Double(2 * size) ? Int(affordable) : 2 * size
      }
      let batch = done..<min(done + size, images.count)
      for index in trials.indices {
        trials[index].predictions += try trials[index].classifier
          .predictions(for: batch, in: images, observer).map(\.label)
      }
      done = batch.upperBound
      observer.onEvent(.progress(Double(done) / Double(images.count)))
    }
    return report(used, Array(labels[..<done]))
  }

  private func report(_ used: [PixelStep], _ labels: [Int]) -> PreparationReport {
    let rows = trials.map { trial in
      PreparationReport.Row(
        trial.steps, equals: trial.equals,
        correct: zip(trial.predictions, labels).count { $0 == $1 }, of: labels.count)
    }
    // A network that always predicts the most frequent class reveals nothing.
    let frequencies = Dictionary(labels.map { ($0, 1) }, uniquingKeysWith: +)
    let blind = WilsonInterval(successes: frequencies.values.max() ?? 0, of: labels.count)
    var verdict = PreparationReport.Verdict.none
    if let best = rows.indices.max(by: { (rows[$0].correct, $1) < (rows[$1].correct, $0) }) {
      let alike = rows.indices.filter { trials[$0].predictions == trials[best].predictions }
      let others = rows.indices.filter { !alike.contains($0) }
      let bound = others.map { rows[$0].interval[1] }.reduce(blind.upper, max)
      if rows[best].interval[0] > bound {
        verdict = alike.count == 1 ? .found(best) : .alike(alike)
      }
    }
    return PreparationReport(
      images: labels.count, rows: rows, verdict: verdict, used: used, facts: facts)
  }
}
