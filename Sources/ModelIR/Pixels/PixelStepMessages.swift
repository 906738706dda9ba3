/// The texts of errors about a step.
extension NetconvError {
  static func unknownStep(
    _ name: String, known: [String], isOfRecord: Bool
  ) -> NetconvError {
    NetconvError(
      .badData,
      "\(isOfRecord ? "preprocessing has a" : "there is no") step \(quoted(name)); known are "
        + known.joined(separator: ", ") + didYouMean(name, among: known))
  }

  static func wrongNumbers(_ step: String) -> NetconvError {
    NetconvError(
      .badData,
      "the step \(quoted(step)) needs \"value\", one number or one for each channel, and nothing else"
    )
  }

  static func wrongTurn(_ degrees: Double) -> NetconvError {
    NetconvError(
      .badData,
      "the step 'turn' needs 90, 180 or 270 degrees, clockwise; found \(PixelStep.number(degrees))")
  }
}
