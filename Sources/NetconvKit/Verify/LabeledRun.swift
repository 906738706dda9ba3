import Datasets
import Execution
import Files
import ModelIR

/// A run of a model on labelled images.
struct LabeledRun {
  /// The results, which can be added to those of other images.
  let part: VerifyReport.Classification.Part
  /// The indices of the images that were run.
  let range: Range<Int>
  /// The predicted class at each position of each image.
  let predictions: [Classifier.Prediction]
  /// The expected class at each position of each image.
  let labels: [Int]
  let images: LabeledImages
  /// The largest outputs for each image; `nil` if they were not requested.
  let largest: LargestOutputs?
  /// The model that was run.
  let classifier: Classifier

  /// Runs a model on images in memory.
  ///
  /// - Throws: `usage` if the two do not fit each other, `badData` or `interrupted`.
  init(
    _ predictor: Predictor, on images: LabeledImages, _ request: VerifyRequest,
    _ observer: Observer
  ) throws(NetconvError) {
    self.images = images
    do throws(NetconvError) {
      let classifier = try Classifier(predictor, threshold: request.threshold)
      self.classifier = classifier
      observer.onEvent(.fallbacks(of: predictor.engine))
      let count = request.count(of: images)
      try classifier.checkClasses(of: count, in: images.targets)
      let range = request.range(of: images)
      self.range = range
      let labels = try Self.labels(of: images, count, classifier, request)
      self.labels = labels
      if let layer = predictor.stepMask { observer.onEvent(.maskedStepsCount(layer)) }
      var counts = PredictionCounts(
        classCount: classifier.classCount, placeCount: classifier.placeCount)
      var predictions: [Classifier.Prediction] = []
      let offset = range.lowerBound * classifier.placeCount
      var largest = request.forPage ? LargestOutputs(classCount: classifier.width) : nil
      let seconds = try predictor.run(range, of: images, observer) {
        batch throws(NetconvError) in
        let first = predictions.count
        predictions += try classifier.predictions(
          for: batch, in: images, keeping: &largest, observer)
        for index in first..<predictions.count {
          counts.note(label: labels[offset + index], predicted: predictions[index].label)
        }
      }
      self.predictions = predictions
      self.largest = largest
      // If an image has several classes, none of them is the class of the image.
      let wrong =
        classifier.placeCount > 1 ? nil : Self.wrong(predictions, labels, from: offset, in: images)
      part = VerifyReport.Classification.Part(
        counts: counts, dataset: images.name,
        pixels: PixelPreparation.Part(predictor.preparation),
        pictures: predictor.feed.fitting?.groups, isRowByRow: predictor.feed.isRowByRow,
        axes: predictor.feed.order?.order, threshold: classifier.threshold,
        minimumAccuracy: request.minimumAccuracy,
        allowsNotFinite: request.allowsNotFinite, seconds: seconds,
        classes: images.classNames, wrong: wrong)
    } catch {
      throw error.inFile(request.path)
    }
  }

  /// Warns that the preprocessing, or the threshold of a single output, may be wrong.
  func warn(_ observer: Observer) {
    classifier.predictor.warn(observer)
    if classifier.threshold?.reason == .logit {
      observer.onEvent(.takenForLogit(classifier.predictor.output))
    }
  }

  /// Returns the first misclassified samples.
  private static func wrong(
    _ predictions: [Classifier.Prediction], _ labels: [Int], from offset: Int,
    in images: LabeledImages
  ) -> [WrongPrediction] {
    var wrong: [WrongPrediction] = []
    for (index, prediction) in predictions.enumerated() {
      let sample = offset + index
      guard prediction.label != labels[sample] else { continue }
      wrong.append(
        WrongPrediction(
          index: sample, name: images.fileName(of: sample), label: labels[sample],
          found: prediction.label))
      if wrong.count == WrongPrediction.limit { break }
    }
    return wrong
  }

  /// Returns the classes of the first images, each checked to be a class of the model.
  ///
  /// - Throws: `badData` if one is not.
  private static func labels(
    of images: LabeledImages, _ count: Int, _ classifier: Classifier, _ request: VerifyRequest
  ) throws(NetconvError) -> [Int] {
    let (file, classCount) = (request.data.paths?.labels ?? request.path, classifier.classCount)
    do throws(NetconvError) {
      // A list of names with another length belongs to other classes.
      if case .pictures(_, labels: _?) = request.data, !images.classNames.isEmpty {
        try ClassLabels(names: images.classNames).check(classes: classCount)
      }
      let labels = try classifier.labels(of: images)
      let used = labels[..<(count * classifier.placeCount)]
      if let label = used.first(where: { $0 >= classCount }) {
        throw NetconvError.labelOutside(label, classes: classCount)
      }
      return labels
    } catch {
      throw error.inFile(file)
    }
  }

  /// Returns the results of the usual preparations of pixels, if they were requested.
  ///
  /// - Throws: `badData` if the model cannot be run, or `interrupted`.
  func preparation(
    _ request: VerifyRequest, _ observer: Observer
  ) throws(NetconvError) -> PreparationReport? {
    guard request.findsPreparation else { return nil }
    do throws(NetconvError) {
      guard classifier.predictor.preparation.arePixels, classifier.placeCount == 1 else {
        throw .noPixelsToPrepare
      }
      var search = try PreparationSearch(self, limit: request.limit)
      return try search.report(used: classifier.predictor.preparation.steps, observer)
    } catch {
      throw error.inFile(request.path)
    }
  }
}

extension LabeledImages {
  /// Returns the file name of a picture; `nil` for a sample of an array.
  func fileName(of sample: Int) -> String? {
    if case .pictures(let entries) = pixels { entries[sample].name } else { nil }
  }

  /// Reads the images that a request names.
  ///
  /// - Throws: `badData`, `cannotOpen` or `inputOutput`.
  init(_ data: VerifyRequest.Data, _ observer: Observer) throws(NetconvError) {
    switch data {
    case .mnist: self = try LabeledImages.mnist()
    case .files(let images, let labels): try self.init(images: images, labels: labels)
    case .archive(let path): try self.init(archive: path)
    case .pictures(let path, let labels):
      let names = try labels.map { path throws(NetconvError) in try ClassLabels(path: path).names }
      let list = try PictureList(path, labels: names)
      for event in Event.classes(of: list) { observer.onEvent(event) }
      try self.init(list, name: Directory.lastComponent(of: path))
    }
  }
}

extension NetconvError {
  fileprivate static func labelOutside(_ label: Int, classes: Int) -> NetconvError {
    NetconvError(
      .badData,
      "there is a label \(label), but the model has \(classes) classes, 0 to \(classes - 1); count "
        + "classes from 0, or pass data for this model")
  }

  fileprivate static var noPixelsToPrepare: NetconvError {
    NetconvError(
      .usage,
      text: "leave out \(.findsPreparation), which needs images with one class each")
  }
}

extension Event {
  fileprivate static func takenForLogit(_ output: String) -> Event {
    .warning(
      "the network has no final activation, so \(quoted(output)) is assumed to be a logit; pass \(.threshold) 0 if it is one, "
        + "\(.threshold) 0.5 if it was trained to return 0 and 1, and for a quantity \(.metric) mae, mse, rmse or r2",
      details: [])
  }
}
