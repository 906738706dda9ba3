/// The findings of a verification on the samples that it ran.
struct VerifyFindings: Sendable {
  /// Results that can be added to those of other samples.
  var parts: VerifyParts
  /// The results of other preparations of the pixels, if they were requested.
  var preparation: PreparationReport?
  /// Details for a page, if one was requested.
  var details: VerifyDetails?
}
