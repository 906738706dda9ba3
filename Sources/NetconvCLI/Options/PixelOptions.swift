import ArgumentParser

/// The preprocessing of pixels.
struct PixelOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The factor for pixels; replaces all other preparation, as does --offset. (default: Docs/preparation.md)",
      valueName: "s"))
  var scale: Double?

  @Option(
    // The value is usually negative.
    parsing: .unconditional,
    help: ArgumentHelp("The offset added to scaled pixels. (default: 0)", valueName: "o"))
  var offset: Double?

  @Option(
    name: .customLong("filter"),
    help: ArgumentHelp(
      "A preprocessing step for pictures, such as blur=2.5, after NAME: for one of several inputs; may be repeated, and replaces the steps that the model records.",
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
