import Datasets
import Execution
import ModelIR
import Readers

extension Netconv {
  /// Runs a model on labelled images and counts what it gets right, and compares its layers with those of another
  /// model or with saved activations, if some are named.
  ///
  /// Of a converted folder or archive only what was written there is used, and its hashes are checked
  /// first.
  /// - Throws: `usage` if model and data do not fit, `badData`, `cannotOpen`, `inputOutput` or
  ///   `interrupted`. An accuracy that is too low, or a layer beyond its tolerance, is no error: see
  ///   ``VerifyReport/passed``.
  public static func verify(
    _ request: VerifyRequest, observer: Observer = Observer()
  ) throws(NetconvError) -> VerifyReport {
    let source = try ReaderRegistry.read(
      request.path, ReaderOptions(architecture: request.architecture))
    let checked = try source.checkConversion(observer)
    guard case .model(let model) = source.network else {
      throw NetconvError.nothingToRun(checked: checked.tensors).inFile(request.path)
    }
    let verified = VerifiedModel(
      model, conversion: source.converted, checked: checked, isRawBlobs: source.isRawBlobs)
    return try verify(verified, request, observer)
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
    try verify(VerifiedModel(model, conversion: nil, checked: CheckedHashes()), request, observer)
  }

  private static func verify(
    _ verified: VerifiedModel, _ request: VerifyRequest, _ observer: Observer
  ) throws(NetconvError) -> VerifyReport {
    guard let reference = request.reference else {
      let run = try LabeledRun(verified.model, request, verified.options(request), observer)
      return VerifyReport(
        request, checked: verified.checked, classification: run.classification,
        preparation: try run.preparation(request, observer), comparison: nil, agreement: nil)
    }
    let work = ReferencedVerification(verified, reference, request, observer)
    return try work.report()
  }
}

extension ReadSource {
  /// Checks that what a conversion wrote is all there and as it was, and the checksums of any other source.
  ///
  /// - Throws: `badData`.
  func checkConversion(_ observer: Observer) throws(NetconvError) -> CheckedHashes {
    do throws(NetconvError) {
      try converted?.checkComplete()
      return try checkIntegrity(observer)
    } catch {
      throw error.inFile(path)
    }
  }
}

/// A model to be verified, and what is known about where it came from.
struct VerifiedModel {
  let model: Model
  /// What a conversion wrote, if the model is its output.
  let conversion: ConvertedSource?
  /// Tensors whose hashes were compared.
  let checked: CheckedHashes
  /// Whether the model was made by hand.
  let isRawBlobs: Bool

  init(
    _ model: Model, conversion: ConvertedSource?, checked: CheckedHashes, isRawBlobs: Bool = false
  ) {
    self.model = model
    self.conversion = conversion
    self.checked = checked
    self.isRawBlobs = isRawBlobs
  }

  /// What decides about pixels besides the model.
  func options(_ request: VerifyRequest) -> PixelOptions {
    PixelOptions(scale: request.scale, offset: request.offset, isRawBlobs: isRawBlobs)
  }
}

extension ReadSource {
  /// Whether the model was made by hand, or was converted from one that was.
  var isRawBlobs: Bool { (converted?.manifest.source.format ?? format) == "raw-blobs" }
}
