import ModelIR

/// The errors of the Neural Amp Modeler reader.
extension NetconvError {
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
}
