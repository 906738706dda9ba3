import TestSupport

/// Networks over sequences whose attributes are others, or that are written in a language that lacks their layers.
extension SilentError {
  static let inSequenceLayers: [SilentError] = [
    sequence(
      "causal convolutions are padded at both ends", "keras3-conv1d", "\"padding\": \"causal\"",
      "\"padding\": \"same\"", "causal"),
    sequence(
      "a recurrent layer goes forwards for backwards", "keras3-recurrent",
      "\"goesBackwards\": true", "\"goesBackwards\": false", "lstm_backwards"),
    emission("mpsgraph", "a recurrent network for MPSGraph", "no operation for LSTM"),
    emission("mpscnn", "a network over sequences for MPSCNN", "input 'steps'"),
  ]

  /// A converted network with another attribute, verified against its source.
  private static func sequence(
    _ mistake: String, _ fixture: String, _ right: String, _ wrong: String, _ layer: String
  ) -> SilentError {
    SilentError("verify --against", mistake, 1, "'\(layer)' is the first layer") { line in
      let source = Fixtures.path("keras/\(fixture).h5")
      try line.convertLeNet("--formats", "bin", from: source)
      try line.replace(right, with: wrong, in: "out/manifest.json")
      return try line.netconv("verify", "out", "--against", source)
    }
  }

  private static func emission(
    _ language: String, _ mistake: String, _ words: String
  ) -> SilentError {
    SilentError("emit", mistake, 65, words) { line in
      try line.netconv(
        "emit", Fixtures.path("keras/keras3-recurrent.h5"), "--language", language, "--name", "Net",
        "--output", "package")
    }
  }
}
