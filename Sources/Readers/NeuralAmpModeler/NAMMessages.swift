import ModelIR

/// The errors of the Neural Amp Modeler reader.
extension NetconvError {
  static func unknownNAMArchitecture(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "the architecture \(quoted(name)) of Neural Amp Modeler is not read; WaveNet, LSTM, and chains and containers of "
        + "them are")
  }

  static func linearOfNAM(_ place: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(place)) is Linear, whose weights the trainer takes from the oldest sample on and plugins from the newest; it "
        + "is not read")
  }

  static func partWithoutArchitecture(_ place: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(place)) has no 'architecture'; the trainer once wrote chains so, and what their parts are cannot be told"
    )
  }

  static func otherSampleRate(
    _ found: Double, expected: Double, in place: String
  ) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(place)) is for \(found) samples a second, expected \(expected), as in the rest of the chain"
    )
  }

  static func ownWeights(_ place: String, _ architecture: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(place)) is not empty, but a \(architecture) has its weights in its parts, and these would not be read"
    )
  }

  static func containerInChain(_ place: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(place)) is a container of networks inside a chain, where none can be chosen; it is not read"
    )
  }

  static func unorderedSizes(_ found: Double, after other: Double?) -> NetconvError {
    NetconvError(
      .badData,
      other.map { "'max_value' \(found) follows \($0), expected ascending sizes" }
        ?? "the last 'max_value' is \(found), expected at least 1")
  }

  static func noSuchSize(_ wanted: String, among sizes: [String]) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "\(.entry) names \(quoted(wanted)), but the networks have the sizes \(sizes.joined(separator: ", "))"
    )
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

  static func tooFewWeights(
    _ place: String, _ found: Int, expected: Int, total: Int
  ) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(place)) holds \(total) numbers, of which \(found) are left; expected \(expected) here"
    )
  }

  static func tooManyWeights(
    _ place: String, _ found: Int, expected: Int
  ) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(place)) holds \(found) numbers, but the network that 'config' describes has \(expected)"
    )
  }
}

extension SourceNote {
  /// Reports unused output weights of the last layer.
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
