import ModelIR

/// Error messages about goldens.
extension NetconvError {
  static var notConverted: NetconvError {
    NetconvError(
      .usage,
      text:
        "was not written by netconv, so it has no goldens; convert it with \(.makeGoldens) first"
    )
  }

  static var noGoldens: NetconvError {
    NetconvError(.usage, text: "holds no goldens; convert the model again with \(.makeGoldens)")
  }

  static var goldensOfOther: NetconvError {
    NetconvError(
      .badData,
      text:
        "these goldens belong to another model; restore the right ones, or convert it again with \(.makeGoldens)"
    )
  }

  static var changedGoldens: NetconvError {
    NetconvError(
      .badData,
      text:
        "the goldens were changed after they were written; convert the model again with \(.makeGoldens)"
    )
  }

  static func unknownGoldenSize(_ input: ModelInput) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "the input \(quoted(input.name)) has shape \(input.shape), with an open size; "
        + "pass inputs with \(.goldenInputs)")
  }

  static func tooFewGoldens(_ found: Int, asked: Int) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "holds \(counted(found, "sample")), fewer than the \(asked) that \(.goldens) needs; pass \(found), or add some"
    )
  }

  static var noGoldensWithoutGraph: NetconvError {
    NetconvError(
      .usage,
      text: "goldens cannot be computed without the graph; leave out \(.weightsOnly) or \(.goldens)"
    )
  }
}

extension Event {
  static func goldensNotFinite(_ layers: [String]) -> Event {
    .warning(
      layers.count == 1
        ? "the outputs of 1 layer are not all finite for the goldens' inputs"
        : "the outputs of \(layers.count) layers are not all finite for the goldens' inputs",
      details: layers.messages)
  }

  static var goldensLeftOut: Event {
    .warning(
      "the source's goldens belong to the source's weights and were not copied; \(.makeGoldens) makes new ones",
      details: [])
  }
}
