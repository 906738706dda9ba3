import Diagnosis
import ModelIR
import Readers

/// The distance of a model's output from what a file states beside its network, as its trainer computed it.
public struct TestVectorReport: Sendable, Codable {
  /// The file, as it was named.
  public let reference: String
  /// Where the values of the model were rounded.
  public let precision: String
  /// The steps that were run, from zeros on.
  public let steps: Int
  /// The output; no other layer was compared.
  public let output: String
  /// The distance from what it should be.
  public let difference: ComparisonReport.Distances
  /// The largest distance that is right; `nil` where the precision cannot hold the values that it depends on.
  public let tolerance: Double?
  /// Whether it is within its tolerance.
  public let passed: Bool

  /// The file whose output the model does not give; `nil` if it gives it.
  public var failure: String? {
    passed
      ? nil
      : "\(quoted(output)) is not what \(quoted(reference)) states for its samples"
  }
}

extension VerifiedModel {
  /// The comparisons with the samples that the model's own source and `other` hold; `nil` if they hold none.
  ///
  /// - Throws: `usage` if the model has several inputs or outputs, or takes others; `interrupted`.
  func testVectors(
    with other: ReadSource?, _ options: ComparisonOptions, _ request: VerifyRequest,
    _ observer: Observer
  ) throws(NetconvError) -> [TestVectorReport]? {
    // The first samples are the first shard's.
    guard request.shard?.index ?? 1 == 1 else { return nil }
    var reports: [TestVectorReport] = []
    if let other, case .failure(let error)? = other.testVectors {
      observer.onEvent(SourceNote.unusedTestVectors(error, of: other.path).event)
    }
    for source in [source, other].compactMap(\.self) {
      guard case .success(let vectors)? = source.testVectors else { continue }
      do throws(NetconvError) {
        guard model.inputs.count == 1, model.outputs.count == 1 else {
          throw .otherInputs(
            model.inputs.map(\.name), outputs: model.outputs, testedBy: source.path)
        }
        let comparison = try OutputComparison(
          of: model, on: vectors.input, with: vectors.output, options
        ) { () throws(NetconvError) in try observer.checkCancellation() }
        reports.append(
          TestVectorReport(
            reference: source.path, precision: options.precision.rawValue,
            steps: vectors.input.shape[1], output: model.outputs[0],
            difference: ComparisonReport.Distances(comparison.difference),
            tolerance: comparison.tolerance, passed: comparison.passed))
      } catch {
        throw error.inFile(request.path)
      }
    }
    return reports.isEmpty ? nil : reports
  }

  /// How the model is compared with something else.
  func comparisonOptions(_ request: VerifyRequest) -> ComparisonOptions {
    var options = ComparisonOptions()
    options.engine = request.engine
    options.precision = request.precision
    options.relativeTolerance = request.tolerance
    options.acceptsNotFinite = request.allowsNotFinite
    // A fold gives what its last layer gave.
    for fold in conversion?.manifest.folded?.layers ?? [] {
      options.counterparts[fold.into] = fold.layer
    }
    for (layer, layouts) in conversion?.sourceLayouts ?? [:] {
      options.origins[layer] = layouts.mapValues { LayerCase.DeclaredLayout($0) }
    }
    return options
  }
}
