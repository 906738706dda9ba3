import ModelIR

/// The wording of every error of the reader of Neural Amp Modeler.
extension NetconvError {
  static func unknownNAMArchitecture(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "the architecture \(quoted(name)) of Neural Amp Modeler is not read; WaveNet and LSTM are")
  }

  static func unknownNAMVersion(_ version: String) -> NetconvError {
    NetconvError(
      .badData,
      "version \(quoted(version)) of Neural Amp Modeler's format is not known; 0.5, 0.6 and 0.7 are"
    )
  }

  static func unknownNAMActivation(_ name: String, known: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "the activation \(quoted(name)) is not read; known are "
        + known.sorted().joined(separator: ", "))
  }

  static func otherHardtanh(_ place: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(place)) is Hardtanh with other bounds than -1 and 1, which the trainer computes and plugins do not; it is "
        + "not read")
  }

  static func notReadByNAM(_ what: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(what)): such a part of a WaveNet is not read, and changes what is computed")
  }

  static func bothKeys(_ first: String, _ second: String, in place: String) -> NetconvError {
    NetconvError(
      .badData, "\(quoted(place)) has both \(quoted(first)) and \(quoted(second)); expected one")
  }

  static func differentSizes(
    _ name: String, _ found: Int, _ other: String, _ expected: Int
  ) -> NetconvError {
    NetconvError(.badData, "\(name) is \(found), expected \(expected), \(other)")
  }

  static func longReach(_ reach: Int, limit: Int) -> NetconvError {
    NetconvError(
      .badData, "one sample of the output sees \(reach + 1) of the input, expected at most \(limit)"
    )
  }

  static func tooFewWeights(_ found: Int, expected: Int, total: Int) -> NetconvError {
    NetconvError(
      .badData,
      "'weights' holds \(total) numbers, of which \(found) are left; expected \(expected) here")
  }

  static func tooManyWeights(_ found: Int, expected: Int) -> NetconvError {
    NetconvError(
      .badData,
      "'weights' holds \(found) numbers, but the network that 'config' describes has \(expected)")
  }
}

extension SourceNote {
  /// The weights behind the last layer that lead nowhere.
  static func unusedLast(_ count: Int) -> [SourceNote] {
    guard count > 0 else { return [] }
    return [
      SourceNote(
        text:
          "\(count) weights are not taken over: those of the convolution from the last layer to a next one, which there is "
          + "not",
        details: [], isWarning: false)
    ]
  }
}
