import Datasets
import ModelIR

/// A filter with a range of values for its parameter: `blur=0:4:0.5`.
struct FilterSweep: Sendable, Equatable {
  /// The maximum number of values in a range.
  static let limit = 1000

  /// The name of the filter.
  let name: String
  /// The values of the parameter, in ascending order.
  let values: [Double]

  /// Parses the name of a filter, and after `=` the first value, the last value and the step.
  ///
  /// - Throws: `usage` that describes the mistake.
  init(text: String) throws(NetconvError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = parts.dropFirst().flatMap {
      $0.split(separator: ":", omittingEmptySubsequences: false)
    }
    .map { Double($0) }
    guard parts.count == 2, numbers.count == 3, let first = numbers[0], let last = numbers[1],
      let distance = numbers[2], distance > 0, last >= first, (last - first).isFinite,
      (last - first) / distance < Double(Self.limit)
    else { throw .wrongSweep(text) }
    name = String(parts[0])
    // Allows for rounding, so that 0.1 can be added ten times.
    let count = Int(((last - first) / distance + 1e-9).rounded(.down)) + 1
    values = (0..<count).map { index in
      // Removes rounding errors, so that values have the digits that were written.
      let value = first + Double(index) * distance
      return (value * 1e9).rounded() / 1e9
    }
    for value in values { _ = try step(value) }
  }

  /// Returns the filter with a value of its parameter.
  ///
  /// - Throws: `usage` if the filter does not accept the value.
  func step(_ value: Double) throws(NetconvError) -> PixelStep {
    try PixelStep(text: "\(name)=\(PixelStep.number(value))")
  }

  /// Returns the steps with the filter in place of one of the same kind, or else before all others.
  ///
  /// - Throws: as ``step(_:)``.
  func steps(_ steps: [PixelStep], with value: Double) throws(NetconvError) -> [PixelStep] {
    let step = try step(value)
    guard let place = steps.firstIndex(where: { $0.record.step == step.record.step }) else {
      return [step] + steps
    }
    var changed = steps
    changed[place] = step
    return changed
  }
}

extension LabeledRun {
  /// Returns the accuracy for each value of a filter's parameter; `nil` if no sweep was requested.
  ///
  /// - Throws: `usage` if the filter is unknown, or the filtered images do not fit; `badData` or `interrupted`.
  func sweep(
    _ request: VerifyRequest, _ observer: Observer
  ) throws(NetconvError) -> VerifyReport.Sweep.Part? {
    guard let text = request.sweep else { return nil }
    let sweep = try FilterSweep(text: text)
    let wanted = labels.dropFirst(range.lowerBound * classifier.placeCount)
    let used = classifier.predictor.preparation.steps
    var rows: [VerifyReport.Sweep.Part.Row] = []
    for value in sweep.values {
      do throws(NetconvError) {
        let changed = try classifier.trying(sweep.steps(used, with: value), on: images)
        var predictions: [Classifier.Prediction] = []
        _ = try changed.predictor.run(range, of: images, observer) { batch throws(NetconvError) in
          predictions += try changed.predictions(for: batch, in: images, observer)
        }
        rows.append(
          .init(
            value: value, correct: zip(predictions, wanted).count { $0.label == $1 },
            count: predictions.count))
      } catch {
        throw error.inFile(request.path)
      }
    }
    return VerifyReport.Sweep.Part(
      filter: sweep.name, dependent: classifier.placeCount, rows: rows)
  }
}

extension NetconvError {
  fileprivate static func wrongSweep(_ text: String) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "\(.sweep) \(quoted(text)) is not a range of a filter; write the first parameter, the last and the step, "
        + "such as 'blur=0:4:0.5', with at most \(FilterSweep.limit) in all")
  }
}
