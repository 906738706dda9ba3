import Datasets
import Execution
import ModelIR
import Operators
import Readers

extension Netconv {
  /// Runs a model on samples with targets and measures its predictions.
  ///
  /// If the request has a reference, also compares the layers with those of another model or with saved activations.
  ///
  /// For a converted folder or archive, only the converted files are used, and their hashes are checked first.
  /// - Throws: `usage` if model and data do not fit, `badData`, `cannotOpen`, `inputOutput` or `interrupted`. A low
  ///   accuracy or a layer beyond its tolerance is not an error: see ``VerifyReport/passed``.
  public static func verify(
    _ request: VerifyRequest, observer: Observer = Observer()
  ) throws(NetconvError) -> VerifyReport {
    let verified = try verifiedModel(request, observer)
    return try verify(verified, request, observer)
  }

  /// Runs a model on one shard of the samples; ``merge(_:)`` combines the results of all shards.
  ///
  /// - Throws: as ``verify(_:observer:)-swift.type.method``; `usage` if the request has no shard, or the model cannot
  ///   be run in shards.
  public static func verifyShard(
    _ request: VerifyRequest, observer: Observer = Observer()
  ) throws(NetconvError) -> VerifyShard {
    guard let shard = request.shard else { throw .noShards }
    let verified = try verifiedModel(request, observer)
    var against: Model?
    if case .model(let path)? = request.reference {
      against = try verified.reference(at: path, request).model
    }
    for model in [verified.model, against].compactMap(\.self) {
      if let layer = model.layers.first(where: \.isStateful) {
        throw NetconvError.statefulShard(layer.name).inFile(request.path)
      }
    }
    let parts = try findings(verified, request, observer).parts
    let data = try LabeledImages(request.data, Observer())
    return VerifyShard(
      try ShardedRun(verified.model, against: against, data, request), shard, parts)
  }

  private static func verifiedModel(
    _ request: VerifyRequest, _ observer: Observer
  ) throws(NetconvError) -> VerifiedModel {
    let replacements = try LayerReplacements(options: request.replacements)
    let own = request.options
    let options =
      request.comparesModels
      ? try own.ofOneOfTwo(acceptsWeights: false, replacements)
      : try own.reading(replacements)
    let source = try ReaderRegistry.read(request.path, options)
    source.tell(observer)
    let checked = try source.checkConversion(observer)
    if checked.tensors > 0, case .weights = source.network {
      throw NetconvError.nothingToRun(checked: checked.tensors).inFile(request.path)
    }
    let model = try source.model
    return VerifiedModel(model, source, checked: checked, replacements: replacements)
  }

  /// Runs a model built in Swift on labelled images and counts its correct predictions.
  ///
  /// - Parameters:
  ///   - model: a model with one image as input and one vector of classes as output.
  ///   - request: the data and settings; its path only names the model in the report and in errors.
  ///   - observer: receives the events.
  /// - Throws: `usage` if model and data do not fit, `badData`, `cannotOpen`, `inputOutput` or
  ///   `interrupted`.
  public static func verify(
    _ model: Model, _ request: VerifyRequest, observer: Observer = Observer()
  ) throws(NetconvError) -> VerifyReport {
    try verify(VerifiedModel(model), request, observer)
  }

  private static func verify(
    _ verified: VerifiedModel, _ request: VerifyRequest, _ observer: Observer
  ) throws(NetconvError) -> VerifyReport {
    precondition(request.shard == nil, "a shard has no report of its own")
    let found = try findings(verified, request, observer)
    var report = VerifyReport(found.parts, preparation: found.preparation)
    report.details = found.details
    return report
  }

  private static func findings(
    _ verified: VerifiedModel, _ request: VerifyRequest, _ observer: Observer
  ) throws(NetconvError) -> VerifyFindings {
    try request.checkMetric()
    guard let reference = request.reference else {
      var found = VerifyFindings(parts: VerifyParts(request, verified))
      found.parts.testVectors = try verified.testVectors(
        with: nil, verified.comparisonOptions(request), request, observer)
      // A source's own samples are verified, unless the request names others.
      if found.parts.testVectors != nil, request.data == .mnist {
        if request.shard != nil { throw NetconvError.nothingToShare.inFile(request.path) }
        if let setting = request.settingsOfImages.first {
          throw NetconvError.noImages(for: setting).inFile(request.path)
        }
        if request.forPage { found.details = try VerifyDetails(of: verified.model) }
        return found
      }
      let (predictor, data) = try Predictor.reading(
        verified.model, request, try verified.options(request), observer)
      if let metric = request.regressionMetric {
        let run = try RegressionRun(predictor, on: data, metric, request, observer)
        predictor.warn(observer)
        found.parts.regression = run.part
        if request.forPage { found.details = try VerifyDetails(of: verified.model) }
        return found
      }
      let run = try LabeledRun(predictor, on: data, request, observer)
      run.warn(observer)
      found.parts.classification = run.part
      found.preparation = try run.preparation(request, observer)
      found.parts.sweep = try run.sweep(request, observer)
      if request.forPage { found.details = try VerifyDetails(of: verified.model, run) }
      return found
    }
    let work = ReferencedVerification(verified, reference, request, observer)
    return try work.findings()
  }
}

extension ReadSource {
  /// Checks that the output of a conversion is complete, and that all checksums match.
  ///
  /// - Throws: as ``checkIntegrity(_:)``.
  func checkConversion(_ observer: Observer) throws(NetconvError) -> CheckedHashes {
    do throws(NetconvError) {
      try converted?.checkComplete()
    } catch {
      throw error.inFile(path)
    }
    return try checkIntegrity(observer)
  }
}

/// A model to verify, and its origin.
struct VerifiedModel {
  let model: Model
  /// The tensors whose hashes were compared.
  let checked: CheckedHashes
  /// The source of the model, if it was read from one.
  let source: ReadSource?
  /// Operators that replace layers, here or in a reference model.
  let replacements: LayerReplacements
  /// The output of a conversion, if the model was read from one.
  var conversion: ConvertedSource? { source?.converted }

  init(
    _ model: Model, _ source: ReadSource? = nil, checked: CheckedHashes = CheckedHashes(),
    replacements: LayerReplacements = .none
  ) {
    self.model = model
    self.checked = checked
    self.source = source
    self.replacements = replacements
  }

  /// Returns the settings, besides the model, that determine the preprocessing of pixels.
  ///
  /// - Throws: `usage` if a filter is unknown.
  func options(_ request: VerifyRequest) throws(NetconvError) -> PixelOptions {
    let filters = try InputFilters(request.filters, for: model)
    return PixelOptions(
      scale: request.scale, offset: request.offset,
      filters: model.inputs.first.flatMap { filters[$0.name] },
      isRawBlobs: source?.isRawBlobs ?? false, mayBeQuantities: request.data.mayBeQuantities,
      predictsQuantities: request.regressionMetric != nil)
  }

  /// Reads the reference model at `path`; layers are replaced as in this one.
  ///
  /// - Throws: any error from reading; `usage` if a named layer is replaced in neither model, or an option was used
  ///   for neither.
  func reference(
    at path: String, _ request: VerifyRequest
  ) throws(NetconvError) -> ReadSource {
    let wanted = source.map(replacements.orThose) ?? replacements
    let others = request.referenceOptions
    let options = others.orThose(of: request.options).orThose(recordedBy: source, of: path)
    let reference = try ReaderRegistry.read(
      path, options.ofOneOfTwo(acceptsWeights: false, wanted))
    if let source {
      try replacements.check(replacedIn: source, reference)
      try request.options.check(usedBy: source, and: reference, others)
    }
    return reference
  }
}

extension ReadSource {
  /// True if the model was described by hand as raw arrays, or was converted from such a model.
  var isRawBlobs: Bool { (converted?.manifest.source.format ?? format) == "raw-blobs" }
}

extension VerifyRequest.Data {
  /// True if the samples may be something other than images.
  fileprivate var mayBeQuantities: Bool {
    switch self {
    case .mnist, .pictures: false
    case .files, .archive: true
    }
  }
}
