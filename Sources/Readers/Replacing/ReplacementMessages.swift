import ModelIR

/// The errors in replacements of layers.
extension NetconvError {
  static var nothingToReplace: NetconvError {
    NetconvError(
      .usage,
      text:
        "is not a Keras model; only their layers can be replaced; leave out \(.replacements)")
  }
}

extension ReplacementParser.Mistake {
  static func unknownAttribute(
    _ name: String, of type: String, at position: Int, known: [String]
  ) -> Self {
    Self(
      position: position,
      message: "\(type) has no attribute \(quoted(name))" + didYouMean(name, among: known),
      details: list(known))
  }

  static func repeatedAttribute(_ name: String, at position: Int) -> Self {
    Self(position: position, message: "\(quoted(name)) is there twice")
  }

  static func wrongAttributes(
    _ type: String, _ message: String, at position: Int, known: [String]
  ) -> Self {
    Self(position: position, message: "\(type): \(message)", details: list(known))
  }

  private static func list(_ attributes: [String]) -> [String] {
    [attributes.isEmpty ? "it has none" : "it has " + attributes.joined(separator: ", ")]
  }
}
