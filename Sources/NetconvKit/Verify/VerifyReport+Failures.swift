import ModelIR

extension VerifyReport.Classification {
  /// Descriptions of the requirements that are not met.
  var failures: [String] {
    var failures: [String] = []
    if !isFinite {
      failures.append("\(grouped(nonFinite)) of \(grouped(count)) predictions are not finite")
    }
    if !isAccurate, let minimumAccuracy {
      failures.append(
        "the accuracy \(fixed(accuracy, 4)) is below the \(minimumAccuracy) asked for")
    }
    return failures
  }
}

extension VerifyReport.Regression {
  /// Descriptions of the requirements that are not met.
  var failures: [String] {
    var failures: [String] = []
    if !isFinite {
      failures.append("\(grouped(nonFinite)) of \(grouped(count)) predictions are not finite")
    }
    guard !isAccurate else { return failures }
    let bound =
      maximumError.map { "not within the \($0)" } ?? minimumR2.map { "not as high as the \($0)" }
      ?? ""
    failures.append("the \(metric.rawValue) \(significant(value)) is \(bound) asked for")
    return failures
  }
}

extension Agreement {
  /// A description of an agreement that is too low; otherwise `nil`.
  var failure: String? {
    guard !passed, let minimumAgreement else { return nil }
    return "the agreement \(fixed(fraction, 4)) is below the \(minimumAgreement) asked for"
  }
}

extension ComparisonReport {
  /// A description of the first layer that is not as expected; `nil` if there is none.
  public var failure: String? {
    guard let first = layers.first(where: { !$0.passed }) else { return nil }
    let which =
      first.uncompared == nil ? "the first layer that" : "the first layer that was compared and"
    guard first.shapes != nil || !first.difference.isUnknown else {
      return "\(quoted(first.name)) is \(which) cannot be compared: both are not finite"
    }
    let finding = first.diagnosis.map { ": \($0.finding)" } ?? ""
    return "\(quoted(first.name)) is \(which) differs from the reference\(finding)"
  }
}
