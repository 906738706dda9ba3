/// What a verification has found of the samples that it ran.
struct VerifyFindings: Sendable {
  /// Numbers that can be added to those of other samples.
  var parts: VerifyParts
  /// How other preparations of the pixels do, if that was asked for.
  var preparation: PreparationReport?
  /// What only a page shows, if one was asked for.
  var details: VerifyDetails?
}
