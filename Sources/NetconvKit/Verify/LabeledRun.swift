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

  /// Runs `model` on the images that `request` names.
  ///
  /// - Throws: `usage` if they do not fit each other, `badData`, `cannotOpen`, `inputOutput` or `interrupted`.
  init(
    _ model: Model, _ request: VerifyRequest, _ observer: Observer
  ) throws(NetconvError) {
    // An engine packs its weights while the images are inflated.
    let (data, engine) = concurrently { () throws(NetconvError) in
      try LabeledImages(request.data)
    } and: { () throws(NetconvError) in
      try request.engine.engine(for: model)
    }
    try self.init(model, engine, on: data.get(), request, observer)
  }

  /// Runs `model` on images that are in memory.
  ///
  /// - Throws: `usage` if they do not fit each other, `badData` or `interrupted`.
  init(
    _ model: Model, _ engine: Result<any Engine, NetconvError>, on images: LabeledImages,
    _ request: VerifyRequest, _ observer: Observer
  ) throws(NetconvError) {
    self.images = images
    do {
      let classifier = try Classifier(model, engine, images, request)
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
        counts, dataset: images.name, minimumAccuracy: request.minimumAccuracy,
        seconds: (clock.now - start) / .seconds(1))
    } catch let error as NetconvError {
      throw error.inFile(request.path)
    } catch {
      throw NetconvError(.internal, "\(error)")
    }
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
