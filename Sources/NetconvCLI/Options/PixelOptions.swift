import ArgumentParser

/// The preprocessing of pixels.
struct PixelOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What pixels are multiplied by; with it or --offset, nothing else is done to them. (default: Docs/preparation.md)",
      valueName: "s"))
  var scale: Double?

  @Option(
    // The value is usually negative.
    parsing: .unconditional,
    help: ArgumentHelp("What is added to scaled pixels. (default: nothing)", valueName: "o"))
  var offset: Double?

  @Option(
    name: .customLong("filter"),
    help: ArgumentHelp(
      "What is done to pictures, such as blur=2.5, with NAME: in front for one of several inputs; may be repeated, and takes the place of what the model records.",
      valueName: "filter"))
  var filters: [String] = []

  /// The options, and whether each is given.
  var given: [(name: String, isThere: Bool)] {
    [("--scale", scale != nil), ("--offset", offset != nil), ("--filter", !filters.isEmpty)]
  }

  func validate() throws {
    for (name, value) in [("scale", scale), ("offset", offset)] {
      if let value, !value.isFinite { throw ValidationError("--\(name) \(value) is not finite") }
    }
  }
}
