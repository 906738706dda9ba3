import Datasets
import Execution
import ModelIR
import Readers

extension Netconv {
  /// Images that are run at once: enough that cores seldom wait for each other at the end of a batch, few enough
  /// to show progress, and no more than 1 GiB if that is several.
  private static func batchSize(imageSize: Int) -> Int {
    let size = max(1, imageSize)
    let enough = max((4 << 20) / size, 16 * CPULevel.coreCount)
    return max(1, min(enough, (256 << 20) / size))
  }

  /// Runs a model on labelled images and counts what it gets right.
  ///
  /// Of a converted folder or archive only what was written there is used, and its hashes are checked
  /// first.
  /// - Throws: `usage` if model and data do not fit, `badData`, `cannotOpen`, `inputOutput` or
  ///   `interrupted`. An accuracy that is too low is no error: see ``VerifyReport/passed``.
  public static func verify(
    _ request: VerifyRequest, observer: Observer = Observer()
  ) throws(NetconvError) -> VerifyReport {
    let source = try ReaderRegistry.read(
      request.path, ReaderOptions(architecture: request.architecture))
    let checked = try source.converted?.checkIntegrity(observer) ?? 0
    guard case .model(let model) = source.network else {
      throw NetconvError.nothingToRun(checked: checked).inFile(request.path)
    }
    return try verify(model, request, checkedTensors: checked, observer)
  }

  /// Runs a model that was built in Swift on labelled images and counts what it gets right.
  ///
  /// - Parameters:
  ///   - model: with one image as input and one vector of classes as output.
  ///   - request: on what data; its path is only what the report and errors call the model.
  ///   - observer: told of progress.
  /// - Throws: `usage` if model and data do not fit, `badData`, `cannotOpen`, `inputOutput` or
  ///   `interrupted`.
  public static func verify(
    _ model: Model, _ request: VerifyRequest, observer: Observer = Observer()
  ) throws(NetconvError) -> VerifyReport {
    try verify(model, request, checkedTensors: 0, observer)
  }

  private static func verify(
    _ model: Model, _ request: VerifyRequest, checkedTensors: Int, _ observer: Observer
  ) throws(NetconvError) -> VerifyReport {
    // An engine packs its weights while the images are inflated.
    let (data, engine) = concurrently { () throws(NetconvError) in
      try load(request.data)
    } and: { () throws(NetconvError) in
      try request.engine.engine(for: model)
    }
    let images = try data.get()
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
      let clock = ContinuousClock()
      let start = clock.now
      let batchSize = batchSize(imageSize: images.imageSize)
      for first in stride(from: 0, to: count, by: batchSize) {
        let batch = first..<min(first + batchSize, count)
        let predictions = try classifier.classes(of: batch, in: images, observer)
        for (index, predicted) in zip(batch, predictions) {
          counts.note(label: images.labels[index], predicted: predicted)
        }
        observer.onEvent(.progress(Double(batch.upperBound) / Double(count)))
      }
      return VerifyReport(
        request, dataset: images.name, counts: counts,
        seconds: (clock.now - start) / .seconds(1), checkedTensors: checkedTensors)
    } catch let error as NetconvError {
      throw error.inFile(request.path)
    } catch {
      throw NetconvError(.internal, "\(error)")
    }
  }

  private static func load(_ data: VerifyRequest.Data) throws(NetconvError) -> LabeledImages {
    switch data {
    case .mnist: try LabeledImages.mnist()
    case .files(let images, let labels): try LabeledImages(images: images, labels: labels)
    case .archive(let path): try LabeledImages(archive: path)
    }
  }
}
