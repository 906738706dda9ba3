import Datasets
import Diagnosis
import Execution
import ModelIR
import Readers
import Transforms

/// A verification that compares layers with a reference model or with saved activations.
struct ReferencedVerification {
  private let verified: VerifiedModel
  private let reference: VerifyRequest.Reference
  private let request: VerifyRequest
  private let observer: Observer

  init(
    _ verified: VerifiedModel, _ reference: VerifyRequest.Reference, _ request: VerifyRequest,
    _ observer: Observer
  ) {
    self.verified = verified
    self.reference = reference
    self.request = request
    self.observer = observer
  }

  /// Returns the verdict.
  ///
  /// - Throws: as ``Netconv/verify(_:observer:)-swift.type.method``.
  func findings() throws(NetconvError) -> VerifyFindings {
    switch reference {
    case .model(let path): try compared(withModel: path)
    case .activations(let path): try compared(withActivations: path)
    }
  }

  // MARK: - With a model

  private func compared(
    withModel path: String
  ) throws(NetconvError) -> VerifyFindings {
    let other = try verified.reference(at: path, request)
    _ = try other.checkIntegrity(observer)
    let source = try other.model
    try checkInputs(of: source, path)
    var found = try compared(withModel: source, at: path)
    found.parts.testVectors = try verified.testVectors(with: other, options, request, observer)
    return found
  }

  private func compared(
    withModel source: Model, at path: String
  ) throws(NetconvError) -> VerifyFindings {
    // Data that the caller named must fit; the built-in set is used if it does.
    let hasData = try request.data != .mnist ? true : fitsMNIST()
    guard hasData else {
      if request.shard != nil { throw NetconvError.nothingToShare.inFile(request.path) }
      if let setting = request.settingsOfImages.first {
        throw NetconvError.noImages(for: setting).inFile(request.path)
      }
      return try verdict(
        try comparison(with: source, on: randomInputs(of: source)), labeled: nil, source: nil)
    }
    return try compared(with: source, at: path)
  }

  /// Returns the verdict on the caller's data, or on the built-in set.
  private func compared(
    with source: Model, at path: String
  ) throws(NetconvError) -> VerifyFindings {
    let (predictor, data) = try Predictor.reading(
      verified.model, request, try verified.options(request), observer)
    let metric = request.regressionMetric
    let measured = try metric.map { metric throws(NetconvError) in
      try RegressionRun(predictor, on: data, metric, request, observer)
    }
    let found = try metric == nil ? LabeledRun(predictor, on: data, request, observer) : nil
    if let found { found.warn(observer) } else { predictor.warn(observer) }
    var others = request
    others.path = path
    others.output = try counterpart(of: predictor.output, in: source, at: path)
    let counterpart = try Predictor(
      source, Result { () throws(NetconvError) in try request.engine.engine(for: source) },
      on: data, others, try verified.options(request))
    let expected = try metric == nil ? LabeledRun(counterpart, on: data, others, observer) : nil
    // Only the first shard contains the first samples.
    guard request.shard?.index ?? 1 == 1 else {
      return try verdict(nil, labeled: found, source: expected, measured: measured)
    }
    let count = min(request.count(of: data), sampleCount(of: source, data.imageSize))
    let samples = try Samples(
      found: predictor.feed.inputs(0..<count, in: data),
      expected: counterpart.feed.inputs(0..<count, in: data),
      name: "the first \(count) \(predictor.preparation.noun) of \(data.name)", count: count)
    return try verdict(
      try comparison(with: source, on: samples), labeled: found, source: expected,
      measured: measured)
  }

  /// The inputs of both models.
  private struct Samples {
    /// As the verified model preprocesses them.
    let found: [String: NDArray<Float>]
    /// As the reference model preprocesses them.
    let expected: [String: NDArray<Float>]
    let name: String
    let count: Int
  }

  private func comparison(
    with source: Model, on samples: Samples
  ) throws(NetconvError) -> ComparisonReport {
    do throws(NetconvError) {
      try ModelComparison.checkMemory(
        of: source, batch: samples.count,
        inputs: samples.expected.mapValues { Array($0.shape.dropFirst()) })
      let expected = try ExpectedActivations(
        of: source, on: samples.expected, engine: request.engine, checkCancellation: stop)
      var options = options
      for output in verified.model.outputs
      where options.counterparts[output] == nil && expected.values[output] == nil {
        options.counterparts[output] = try? counterpart(of: output, in: source, at: "")
      }
      let comparison = try ModelComparison(
        of: verified.model, on: samples.found, with: expected, options,
        progress: { observer.onEvent(.progress($0)) }, checkCancellation: stop)
      guard !comparison.outputs.isEmpty || comparison.firstFailure != nil else {
        throw .noComparedOutput(verified.model.outputs, source.outputs)
      }
      warnOfOutputs(comparison)
      return ComparisonReport(
        comparison, with: reference, inputs: samples.name, samples: samples.count,
        in: request.precision)
    } catch {
      throw error.inFile(request.path)
    }
  }

  private func verdict(
    _ comparison: ComparisonReport?, labeled: LabeledRun?, source expected: LabeledRun?,
    measured: RegressionRun? = nil
  ) throws(NetconvError) -> VerifyFindings {
    var found = VerifyFindings(parts: VerifyParts(request, verified))
    if let labeled, let expected {
      found.parts.agreement = Agreement.Part(
        labeled.predictions, with: expected.predictions, labels: labeled.labels,
        from: labeled.range.lowerBound, places: labeled.classifier.placeCount,
        minimum: request.minimumAgreement)
    }
    found.parts.classification = labeled?.part
    found.parts.regression = measured?.part
    found.parts.comparison = comparison
    found.preparation = try preparation(labeled)
    if request.forPage {
      found.details = try VerifyDetails(of: verified.model, labeled, expected)
    }
    return found
  }

  private func preparation(_ found: LabeledRun?) throws(NetconvError) -> PreparationReport? {
    guard request.findsPreparation else { return nil }
    guard let found else { throw PreparationReport.needsImages.inFile(request.path) }
    return try found.preparation(request, observer)
  }

  /// Returns the output of the reference model that corresponds to `output`: the one with the same name, the last
  /// layer of a fold, or the one at the same index.
  ///
  /// - Throws: `usage` if there is none.
  private func counterpart(
    of output: String, in source: Model, at path: String
  ) throws(NetconvError) -> String {
    let here = verified.model.outputs
    let folded = verified.conversion?.manifest.folded?.layers.first { $0.into == output }?.layer
    if let name = [output, folded].compactMap(\.self).first(where: source.outputs.contains) {
      return name
    }
    guard here.count == source.outputs.count, let place = here.firstIndex(of: output) else {
      throw NetconvError.noSuchOutput(output, source.outputs).inFile(path)
    }
    return source.outputs[place]
  }

  /// True if the model can be run on the built-in images.
  ///
  /// - Throws: `usage` if the model has no output with the requested name.
  private func fitsMNIST() throws(NetconvError) -> Bool {
    let model = verified.model
    guard request.output != nil || model.outputs.count == 1 else { return false }
    let name: String
    do throws(NetconvError) {
      name = try model.judgedOutput(request.output)
    } catch {
      throw error.inFile(request.path)
    }
    guard model.inputs.count == 1, let output = model.shape(of: name) else { return false }
    return ImageFeed.shape(of: model.inputs[0].shape, for: [28, 28]) != nil && output.count == 10
      && output.dimensions.dropLast().allSatisfy { $0 == 1 }
  }

  private func checkInputs(of source: Model, _ path: String) throws(NetconvError) {
    let (found, expected) = (verified.model.inputs, source.inputs)
    let names = Set(expected.map(\.name))
    guard found.count == expected.count, found.allSatisfy({ names.contains($0.name) }) else {
      throw NetconvError.otherInputs(found.map(\.name), expected: expected.map(\.name), of: path)
        .inFile(request.path)
    }
  }

  // MARK: - With activations

  private func compared(
    withActivations path: String
  ) throws(NetconvError) -> VerifyFindings {
    let model = verified.model
    let saved = try SavedActivations(
      path, for: model, verified.source?.axes(of: model) ?? SourceAxes(of: model))
    for event in saved.events { observer.onEvent(event) }
    do throws(NetconvError) {
      let comparison = try ModelComparison(
        of: model, on: saved.inputs, with: ExpectedActivations(saved.values), options,
        progress: { observer.onEvent(.progress($0)) }, checkCancellation: stop)
      warnOfOutputs(comparison)
      var found = try verdict(
        ComparisonReport(
          comparison, with: reference, inputs: "the inputs saved in the file", samples: saved.count,
          orders: saved.orders),
        labeled: nil, source: nil)
      found.parts.testVectors = try verified.testVectors(with: nil, options, request, observer)
      return found
    } catch {
      throw error.inFile(request.path)
    }
  }

  /// Warns about outputs that differ widely although each layer by itself is correct; the layers' verdict does not
  /// cover them.
  private func warnOfOutputs(_ comparison: ModelComparison) {
    guard
      comparison.rows.allSatisfy({ row in
        row.passed
          && row.difference.maximumAbsolute <= Self.closeness * row.difference.expectedMaximum
      })
    else { return }
    for (name, difference) in comparison.outputs
    where difference.maximumAbsolute > Self.largestDrift * difference.expectedMaximum {
      observer.onEvent(.outputDrift(name, difference))
    }
  }

  /// The largest relative difference between the layers of one network in two files.
  private static let closeness = 0.001
  /// The relative difference of an output that is far more than such layers accumulate.
  private static let largestDrift = 0.05

  // MARK: - Samples

  private var stop: @Sendable () throws(NetconvError) -> Void {
    { [observer] () throws(NetconvError) in try observer.checkCancellation() }
  }

  private var options: ComparisonOptions { verified.comparisonOptions(request) }

  /// Returns the requested number of samples, or fewer, so that the values of all layers take at most 1 GiB.
  private func sampleCount(of model: Model, _ inputSize: Int) -> Int {
    let values = model.layers.flatMap(\.outputs).reduce(inputSize) { sum, output in
      let (total, overflow) = sum.addingReportingOverflow(output.shape.count ?? 0)
      return overflow ? .max : total
    }
    return max(1, min(request.samples, (256 << 20) / max(1, values)))
  }

  /// Returns random inputs, the same for every model, in the form that the first layers expect.
  private func randomInputs(of source: Model) throws(NetconvError) -> Samples {
    let shapes = try source.sampleShapes()
    var inputSize = 0
    for shape in shapes.values {
      inputSize += try MemoryBound.values(shape, samples: 1, byteCount: MemoryLayout<Float>.size)
    }
    let count = sampleCount(of: source, inputSize)
    try ModelComparison.checkMemory(of: source, batch: count, inputs: shapes)
    // A conversion may lose facts that its source states, and record facts that the source lacks.
    let random = try RandomInputs(
      shapes, samples: count, for: source, toldBy: [source, verified.model])
    return Samples(
      found: random.arrays, expected: random.arrays,
      name: "\(counted(count, "sample")) of seeded random \(random.words)", count: count)
  }
}

extension VerifyRequest {
  /// The settings of the request that only apply to labelled images.
  var settingsOfImages: [Remedy] {
    let settings: [(Remedy, isThere: Bool)] = [
      (.minimumAccuracy, minimumAccuracy != nil), (.minimumAgreement, minimumAgreement != nil),
      (.metric, metric != nil), (.limit, limit != nil), (.scale, scale != nil),
      (.offset, offset != nil), (.judgedOutput, output != nil), (.threshold, threshold != nil),
    ]
    return settings.filter(\.isThere).map(\.0)
  }
}

extension Model {
  /// Returns a shape for every input, without the batch axis; unknown sizes are the smallest that all layers accept.
  ///
  /// - Throws: `usage` if no size fits, or a layer does not accept the known sizes.
  fileprivate func sampleShapes() throws(NetconvError) -> [String: [Int]] {
    let known = inputs.compactMap { input in input.shape.known.map { (input.name, $0) } }
    if known.count == inputs.count { return Dictionary(known) { first, _ in first } }
    for side in [32, 64, 96, 128, 224, 299] {
      let found = Dictionary(
        inputs.map { ($0.name, $0.shape.dimensions.map { $0 ?? side }) }
      ) { first, _ in first }
      let shapes = try? self.shapes(feeding: found.mapValues { Shape($0) })
      let fits = shapes.map { shapes in
        layers.allSatisfy { shapes[$0.name]?.known != nil }
      }
      if fits ?? false { return found }
    }
    throw .noSampleShape(inputs.map { "\(quoted($0.name)): \($0.shape)" })
  }
}

extension Event {
  fileprivate static func outputDrift(_ name: String, _ difference: Difference) -> Event {
    .warning(
      "each layer is right on its own, but the output \(quoted(name)) is off by up to "
        + "\(significant(difference.maximumAbsolute)), where its largest value is "
        + "\(significant(difference.expectedMaximum)); run it with the other engine, and if that is right, "
        + "report this: netconv may be wrong",
      details: [])
  }
}

extension NetconvError {
  fileprivate static func noComparedOutput(_ found: [String], _ expected: [String]) -> NetconvError
  {
    return NetconvError(
      .badData,
      "no output can be compared: the outputs here are \(found.quotedList), and those of the other network "
        + "are \(expected.quotedList), which differ in number and in names")
  }

  fileprivate static func noSampleShape(_ inputs: [String]) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "leaves sizes of its inputs open, and no usual size fits; name data with \(.images), or "
        + "activations with \(.reference)", list: inputs.messages)
  }
}

extension PreparationReport {
  fileprivate static var needsImages: NetconvError {
    NetconvError(
      .usage,
      text:
        "\(.findsPreparation) needs images with labels; name them with \(.images) and \(.labels)")
  }
}
