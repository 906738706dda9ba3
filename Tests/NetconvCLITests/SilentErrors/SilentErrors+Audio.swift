import Foundation
import TestSupport

/// Audio networks whose values are in another order than their readers expect.
extension SilentError {
  static let inAudio: [SilentError] = [
    rtneural(
      "taps of a convolution that were reversed", "'conv1d' is the first layer", in: "conv1d",
      of: "conv"
    ) { $0.reversed() },
    rtneural(
      "gates of a GRU in PyTorch's order", "'gru' is the first layer", in: "gru", of: "gru"
    ) { rows in
      rows.map { row in
        let units = row.count / 3
        return Array(row[units..<2 * units] + row[..<units] + row[(2 * units)...])
      }
    },
    SilentError("convert", "RTNeural's JSON with a gain around the network", 65, "'in_gain' is 3") {
      line in
      try text("rtneural-lstm.json", "\"in_shape\"", "\"in_gain\": 3, \"in_shape\"", in: line)
    },
    SilentError("convert", "RTNeural's JSON with a layer that it leaves out", 65, "'flatten'") {
      line in
      try text("rtneural-lstm.json", "\"type\": \"dense\"", "\"type\": \"flatten\"", in: line)
    },
    SilentError("convert", "a .nam file with a weight too many", 65, "holds 71 numbers") { line in
      try text("lstm-1.nam", "\"weights\": [", "\"weights\": [0.5, ", in: line)
    },
    SilentError("convert", "a .nam file with a weight too few", 65, "0 are left") { line in
      let path = Fixtures.path("audio/lstm-1.nam")
      let document = try String(contentsOfFile: path, encoding: .utf8)
      try line.folder.write(
        document.replacing(#/"weights": \[[^,]*, /#, with: "\"weights\": ["), to: "model.nam")
      return try line.netconv("convert", "model.nam", "out")
    },
    SilentError("convert", "a part of a .nam file that is not read", 65, "'config.condition_dsp'") {
      line in
      try text(
        "wavenet-nano.nam", "\"head\": null", "\"head\": null, \"condition_dsp\": {}", in: line)
    },
    SilentError(
      "verify", "AIDA-X's samples are of other weights", 1,
      "'amp.json' states for its samples"
    ) { line in
      let path = Fixtures.path("audio/rtneural-aida.json")
      let document = try String(contentsOfFile: path, encoding: .utf8)
      try line.folder.write(
        document.replacing(
          #/"weights": \[\[\[[^,]*,/#, with: "\"weights\": [[[0.75,", maxReplacements: 1),
        to: "amp.json")
      return try line.netconv("verify", "amp.json")
    },
    SilentError(
      "convert", "both biases of a PyTorch LSTM go where there is one", 65, "has only one bias"
    ) { line in
      try line.netconv(
        "convert", Fixtures.path("conventions/lstm.safetensors"), "o.npz", "--weights-only",
        "--target", "tensorflow", "--convention", "torch")
    },
  ]

  /// A fixture with a text replaced, converted.
  private static func text(
    _ file: String, _ old: String, _ new: String, in line: CommandLine
  ) throws -> NetconvProcess.Result {
    try line.folder.copy(Fixtures.path("audio/\(file)"), to: file)
    try line.replace(old, with: new, in: file)
    return try line.netconv("convert", file, "out")
  }

  /// RTNeural's JSON with a mistake in the first array of the first layer of a type, verified against the correct one.
  private static func rtneural(
    _ mistake: String, _ words: String, in type: String, of name: String,
    change: @escaping @Sendable ([[Any]]) -> [[Any]]
  ) -> SilentError {
    SilentError("verify --against", mistake, 1, words) { line in
      let path = Fixtures.path("audio/rtneural-\(name).json")
      let bytes = try Data(contentsOf: URL(filePath: path))
      var document = try JSONSerialization.jsonObject(with: bytes) as? [String: Any] ?? [:]
      var layers = document["layers"] as? [[String: Any]] ?? []
      if let index = layers.firstIndex(where: { $0["type"] as? String == type }),
        var weights = layers[index]["weights"] as? [[Any]],
        let rows = weights.first as? [[Any]]
      {
        weights[0] = change(rows)
        layers[index]["weights"] = weights
      }
      document["layers"] = layers
      try line.folder.write(
        Array(try JSONSerialization.data(withJSONObject: document)), to: "changed.json")
      try line.folder.copy(path, to: "right.json")
      return try line.netconv("verify", "changed.json", "--against", "right.json")
    }
  }
}
