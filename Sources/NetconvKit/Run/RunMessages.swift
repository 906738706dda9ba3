import ModelIR

/// The wording of every error about where the outputs of a run go.
extension NetconvError {
  static func noOutputFormat(_ path: String) -> NetconvError {
    NetconvError(
      .usage,
      "\(quoted(path)) names no format for the outputs; end it in .npz, or in .npy for a single one"
    )
  }

  static func severalArrays(_ names: [String]) -> NetconvError {
    NetconvError(
      .usage,
      "an .npy file holds one array, but there are \(names.count) outputs: "
        + names.prefix(10).map { quoted($0) }.joined(separator: ", ")
        + (names.count > 10 ? ", …" : "") + "; end the name in .npz")
  }

  static func outputIsInput(_ input: String) -> NetconvError {
    NetconvError(
      .usage,
      "is \(quoted(input)), which this run reads; an output never replaces an input, so choose another place"
    )
  }
}
