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

  static func severalNumbers(_ step: String) -> NetconvError {
    NetconvError(.badData, "the step \(quoted(step)) needs one number")
  }

  static var zeroDeviation: NetconvError {
    NetconvError(.badData, "the step 'deviation' would divide by 0")
  }

  static func wrongOrder(_ found: String?, of step: String, known: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "the step \(quoted(step)) needs \"order\", one of \(known.joined(separator: ", ")), and nothing else"
        + (found.map { "; found \(quoted($0))" } ?? ""))
  }

  static func noParameters(_ step: String) -> NetconvError {
    NetconvError(.badData, "the step \(quoted(step)) accepts no parameters")
  }

  static func wrongParameters(
    _ step: String, known: [PixelStep.Record.Key]
  ) -> NetconvError {
    let names = known.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    return NetconvError(.badData, "the step \(quoted(step)) accepts \(names), and nothing else")
  }

  static func missingNumber(_ name: String, of step: String) -> NetconvError {
    NetconvError(.badData, "the step \(quoted(step)) needs \"\(name)\", a number")
  }

  static func fractionOfPixel(_ number: Double, _ name: String, of step: String) -> NetconvError {
    NetconvError(
      .badData,
      "\"\(name)\" of the step \(quoted(step)) is \(PixelStep.number(number)), expected whole pixels"
    )
  }

  static func unknownMethod(_ name: String, of step: String) -> NetconvError {
    let known = PixelStep.Interpolation.allCases.map(\.rawValue)
    return NetconvError(
      .badData,
      "the step \(quoted(step)) has no method \(quoted(name)); known are "
        + known.joined(separator: ", ") + didYouMean(name, among: known))
  }

  static func wrongTurn(_ degrees: Double) -> NetconvError {
    NetconvError(
      .badData,
      "the step 'turn' needs 90, 180 or 270 degrees, clockwise; found \(PixelStep.number(degrees))")
  }

  static func wrongSaturation(_ factor: Double) -> NetconvError {
    NetconvError(
      .badData,
      "the step 'saturation' needs a factor of at least 0; found \(PixelStep.number(factor))")
  }

  static func wrongRadius(_ radius: Double, of step: String) -> NetconvError {
    NetconvError(
      .badData,
      "the step \(quoted(step)) needs a radius from 0 to \(PixelStep.largestRadius); found "
        + PixelStep.number(radius))
  }

  static func wrongSigma(_ sigma: Double) -> NetconvError {
    NetconvError(
      .badData, "\"sigma\" of the step 'blur' has to be above 0; found \(PixelStep.number(sigma))")
  }

  static func wrongMargin(_ side: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the step 'pad' needs 0 to \(PixelStep.largestSide) pixels on each side; found \(side)")
  }

  static func wrongArea(_ area: PixelStep.Area, of step: String) -> NetconvError {
    NetconvError(
      .badData,
      "the step \(quoted(step)) has \(area.width) x \(area.height) pixels from column \(area.x) and row "
        + "\(area.y) on; sides go from 1 to \(PixelStep.largestSide), and offsets from 0")
  }

  static func wrongSize(_ sizing: PixelStep.Sizing, of step: String) -> NetconvError {
    NetconvError(
      .badData,
      "the step \(quoted(step)) has a size of \(sizing.width) x \(sizing.height); sides go from 1 to "
        + "\(PixelStep.largestSide)")
  }

  static func noRegion(_ step: String) -> NetconvError {
    NetconvError(
      .badData,
      "the step \(quoted(step)) changes the shape of an image or the meaning of its values, so it cannot "
        + "be limited to a region")
  }
}

/// The texts of errors about the textual form of a step.
extension NetconvError {
  static func wrongFilter(_ text: String, _ error: NetconvError) -> NetconvError {
    NetconvError(.usage, text: "filter \(quoted(text)): \(error.text)")
  }

  static func unknownWord(_ word: Substring) -> NetconvError {
    NetconvError(.usage, "\(quoted(word)) is no number")
  }

  static func unknownParameter(_ name: Substring, known: [String]) -> NetconvError {
    NetconvError(
      .usage,
      "there is no parameter \(quoted(name)); known are \(known.joined(separator: ", "))"
        + didYouMean(String(name), among: known))
  }

  static func repeatedParameter(_ name: String) -> NetconvError {
    NetconvError(.usage, "\"\(name)\" occurs twice")
  }

  static func wrongCount(_ count: Int, _ expected: String) -> NetconvError {
    NetconvError(.usage, "has \(count) \(count == 1 ? "number" : "numbers"), expected \(expected)")
  }

  static func wrongRegion(_ text: Substring) -> NetconvError {
    NetconvError(
      .usage,
      "the region \(quoted(text)) is not column,row,WIDTHxHEIGHT, as in 10,20,100x80")
  }
}
