import ModelIR

/// The errors in replacements of layers.
extension NetconvError {
  /// - Parameter position: The position of the error in `text`, in characters.
  static func wrongReplacement(
    _ text: String, at position: Int, _ message: String, details: [String]
  ) -> NetconvError {
    let before = escaped(String(text.prefix(position))).count
    return NetconvError(
      .usage, message,
      details: [escaped(text), String(repeating: " ", count: before) + "^"] + details)
  }

  static func replacedTwice(_ layer: String) -> NetconvError {
    NetconvError(.usage, "the layer \(quoted(layer)) is replaced twice; leave out one of the two")
  }

  static var nothingToReplace: NetconvError {
    NetconvError(
      .usage,
      text:
        "is not a Keras model; only their layers can be replaced; leave out \(.replacements)")
  }

  static func noLayerToReplace(
    _ layer: String, among layers: [String], replaceable: [String]
  ) -> NetconvError {
    NetconvError(
      .usage,
      "there is no layer \(quoted(layer)) to replace" + didYouMean(layer, among: layers)
        + (replaceable.isEmpty ? "; netconv reads all layers" : ""),
      details: replaceable.isEmpty
        ? [] : ["these can be replaced:"] + replaceable.map { quoted($0) })
  }

  static func replacesKnownLayer(_ layer: String, _ className: String) -> NetconvError {
    NetconvError(
      .usage,
      "the layer \(quoted(layer)) is a \(escaped(className)), which netconv knows; only a Lambda, a custom "
        + "layer or an unsupported layer can be replaced")
  }

  static func replacesOneOutput(_ layer: String) -> NetconvError {
    NetconvError(
      .usage,
      "the layer \(quoted(layer)) returns several values, but an operator returns one; it cannot be replaced"
    )
  }

  static func replacedHasWeights(_ weights: [String], by name: String) -> NetconvError {
    NetconvError(
      .badData,
      "the file holds weights of this layer, which \(name) would leave out; only a layer without weights can "
        + "be replaced", details: weights.prefix(20).map { escaped($0) })
  }

  static func replacedChannelsFirst(_ layer: String, by name: String) -> NetconvError {
    NetconvError(
      .usage,
      "the model has channels first, and \(name) in place of \(quoted(layer)) does not treat all "
        + "axes alike; only an operator that does can replace a layer there")
  }

  /// Returns the hint for a layer that an operator could replace.
  static func replacementHint(_ layer: String, _ className: String) -> Message {
    let option = quoted("\(layer)=Rescaling(scale: 1/127.5, offset: -1)")
    return className == "Lambda"
      ? ": its code is Python's; state what it computes, as in \(.replacements) \(option)"
      : ": if it has no weights, state what it computes, as in \(.replacements) \(option)"
  }
}

extension ReplacementParser.Mistake {
  static func unknownOperator(_ name: String, at position: Int, known: [String]) -> Self {
    Self(
      position: position,
      message: "there is no operator \(quoted(name))" + didYouMean(name, among: known),
      details: ["known are " + known.joined(separator: ", ")])
  }

  static func weighted(_ name: String, at position: Int) -> Self {
    Self(
      position: position,
      message:
        "\(name) has weights, which no file holds for a layer that is replaced; name an operator "
        + "without weights")
  }

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
