import Datasets
import Execution
import ModelIR

/// A model run on labelled images.
struct LabeledRun {
  /// How many it recognised.
  let classification: VerifyReport.Classification
  /// What it sees in each image.
  let predictions: [Classifier.Prediction]
  /// The images.
  let images: LabeledImages
  /// What ran the model.
  let classifier: Classifier

  /// Runs `model` on the images that `request` names.
  ///
  /// - Throws: `usage` if they do not fit each other, `badData`, `cannotOpen`, `inputOutput` or `interrupted`.
  init(
    _ model: Model, _ request: VerifyRequest, _ options: PixelOptions, _ observer: Observer
  ) throws(NetconvError) {
    // An engine packs its weights while the images are inflated.
    let (data, engine) = concurrently { () throws(NetconvError) in
      try LabeledImages(request.data)
    } and: { () throws(NetconvError) in
      try request.engine.engine(for: model, precision: request.precision)
    }
    try self.init(model, engine, on: data.get(), request, options, observer)
    for warning in classifier.preparation.warnings { observer.onEvent(.pixels(warning)) }
  }

  /// Runs `model` on images that are in memory.
  ///
  /// - Throws: `usage` if they do not fit each other, `badData` or `interrupted`.
  init(
    _ model: Model, _ engine: Result<any Engine, NetconvError>, on images: LabeledImages,
    _ request: VerifyRequest, _ options: PixelOptions, _ observer: Observer
  ) throws(NetconvError) {
    self.images = images
    do {
      let facts = try Self.facts(of: images, request)
      let classifier = try Classifier(model, engine, images, facts, request, options)
      self.classifier = classifier
      observer.onEvent(.fallbacks(of: classifier.engine))
      let count = min(request.limit ?? images.count, images.count)
      let classCount = classifier.classCount
      if let label = images.labels[..<count].first(where: { $0 >= classCount }) {
        throw NetconvError.labelOutside(label, classes: classCount)
          .inFile(request.data.paths?.labels ?? request.path)
      }
      var counts = PredictionCounts(classCount: classCount)
      var predictions: [Classifier.Prediction] = []
      let clock = ContinuousClock()
      let start = clock.now
      let batchSize = Self.batchSize(imageSize: images.imageSize)
      for first in stride(from: 0, to: count, by: batchSize) {
        let batch = first..<min(first + batchSize, count)
        predictions += try classifier.predictions(for: batch, in: images, observer)
        for index in batch {
          counts.note(label: images.labels[index], predicted: predictions[index].label)
        }
        observer.onEvent(.progress(Double(batch.upperBound) / Double(count)))
      }
      self.predictions = predictions
      classification = VerifyReport.Classification(
        counts, dataset: images.name, pixels: classifier.preparation,
        minimumAccuracy: request.minimumAccuracy, allowsNotFinite: request.allowsNotFinite,
        seconds: (clock.now - start) / .seconds(1))
    } catch let error as NetconvError {
      throw error.inFile(request.path)
    } catch {
      throw NetconvError(.internal, "\(error)")
    }
  }

  /// What the usual preparations of pixels give, if that is asked for.
  ///
  /// - Throws: `badData` if the model cannot be run, or `interrupted`.
  func preparation(
    _ request: VerifyRequest, _ observer: Observer
  ) throws(NetconvError) -> PreparationReport? {
    guard request.findsPreparation else { return nil }
    do {
      var search = try PreparationSearch(self, limit: request.limit)
      return try search.report(used: classifier.preparation.steps, observer)
    } catch {
      throw error.inFile(request.path)
    }
  }

  /// What the pixels say.
  ///
  /// - Throws: `badData` if one is not finite.
  private static func facts(
    of images: LabeledImages, _ request: VerifyRequest
  ) throws(NetconvError) -> PixelFacts {
    let facts = PixelFacts(images)
    guard let first = facts.firstNotFinite, case .floats(let values) = images.pixels else {
      return facts
    }
    throw NetconvError.imagesNotFinite(
      values[first], image: first / max(1, images.imageSize), count: facts.notFinite
    ).inFile(request.data.paths?.images ?? request.path)
  }

  /// Images that are run at once: enough that cores seldom wait for each other at the end of a batch, few enough
  /// to show progress, and no more than 1 GiB if that is several.
  private static func batchSize(imageSize: Int) -> Int {
    let size = max(1, imageSize)
    let enough = max((4 << 20) / size, 16 * CPULevel.coreCount)
    return max(1, min(enough, (256 << 20) / size))
  }
}

extension LabeledImages {
  /// The images that a request names.
  ///
  /// - Throws: `badData`, `cannotOpen` or `inputOutput`.
  init(_ data: VerifyRequest.Data) throws(NetconvError) {
    switch data {
    case .mnist: self = try LabeledImages.mnist()
    case .files(let images, let labels): try self.init(images: images, labels: labels)
    case .archive(let path): try self.init(archive: path)
    }
  }
}
