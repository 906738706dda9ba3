import Diagnosis
import ModelIR
import Readers

/// The distance of a model's output from the test vectors that its trainer stored with the network.
public struct TestVectorReport: Sendable, Codable {
  /// The file, as given by the caller.
  public let reference: String
  /// The precision in which the model was computed.
  public let precision: String
  /// The number of steps that were run, from a state of zeros.
  public let steps: Int
  /// The name of the output; no other layer was compared.
  public let output: String
  /// The distance from the expected values.
  public let difference: ComparisonReport.Distances
  /// The largest distance that is accepted; `nil` if the precision cannot hold the values that it depends on.
  public let tolerance: Double?
  /// True if the distance is within the tolerance.
  public let passed: Bool

  /// A message if the output does not match the file; otherwise `nil`.
  public var failure: String? {
    passed
      ? nil
      : "\(quoted(output)) differs from what \(quoted(reference)) states for its samples"
  }
}

extension VerifiedModel {
  /// Compares the model with the test vectors of its own source and of `other`; returns `nil` if there are none.
  ///
  /// - Throws: `usage` if the model has several inputs or outputs, or does not accept the vectors; `interrupted`.
  func testVectors(
    with other: ReadSource?, _ options: ComparisonOptions, _ request: VerifyRequest,
    _ observer: Observer
  ) throws(NetconvError) -> [TestVectorReport]? {
    // Only the first shard contains the first samples.
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

  /// Returns the options for comparing the model with a reference.
  func comparisonOptions(_ request: VerifyRequest) -> ComparisonOptions {
    var options = ComparisonOptions()
    options.engine = request.engine
    options.precision = request.precision
    options.relativeTolerance = request.tolerance
    options.acceptsNotFinite = request.allowsNotFinite
    // The output of a fold is that of its last layer.
    for fold in conversion?.manifest.folded?.layers ?? [] {
      options.counterparts[fold.into] = fold.layer
    }
    for (layer, layouts) in conversion?.sourceLayouts ?? [:] {
      options.origins[layer] = layouts.mapValues { LayerCase.DeclaredLayout($0) }
    }
    return options
  }
}
