import ModelIR

/// Error messages about goldens.
extension NetconvError {
  static var goldensOfOther: NetconvError {
    NetconvError(
      .badData,
      text:
        "these goldens belong to another model; restore the right ones, or convert it again with \(.makeGoldens)"
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
  static var goldensLeftOut: Event {
    .warning(
      "the source's goldens belong to the source's weights and were not copied; \(.makeGoldens) makes new ones",
      details: [])
  }
}
