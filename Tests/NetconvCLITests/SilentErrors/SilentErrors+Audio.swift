import Foundation
import TestSupport

/// Networks for audio whose numbers lie otherwise than their readers expect.
extension SilentError {
  static let inAudio: [SilentError] = [
    rtneural("taps of a convolution that were reversed", "'conv1d' is the first layer") { layers in
      try change(layers, "conv1d", weight: 0) { $0.reversed() }
    },
    rtneural("gates of a GRU in PyTorch's order", "'gru' is the first layer", of: "gru") { layers in
      try change(layers, "gru", weight: 0) { rows in
        rows.map { row in
          guard let row = row as? [Double] else { return row }
          let units = row.count / 3
          return row[units..<2 * units] + row[..<units] + row[(2 * units)...]
        }
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
    SilentError("convert", "a part of a .nam file that is not read", 65, "'condition_dsp'") {
      line in
      try text(
        "wavenet-nano.nam", "\"head\": null", "\"head\": null, \"condition_dsp\": {}", in: line)
    },
  ]

  /// A fixture in which one text is another, converted.
  private static func text(
    _ file: String, _ old: String, _ new: String, in line: CommandLine
  ) throws -> NetconvProcess.Result {
    try line.folder.copy(Fixtures.path("audio/\(file)"), to: file)
    try line.replace(old, with: new, in: file)
    return try line.netconv("convert", file, "out")
  }

  /// RTNeural's JSON with a mistake, verified against the model that it was made from.
  private static func rtneural(
    _ mistake: String, _ words: String, of name: String = "conv",
    change: @escaping @Sendable (NSMutableArray) throws -> Void
  ) -> SilentError {
    SilentError("verify --against", mistake, 1, words) { line in
      let path = Fixtures.path("audio/rtneural-\(name).json")
      let document = try JSONSerialization.jsonObject(
        with: Data(contentsOf: URL(filePath: path)), options: .mutableContainers)
      if let members = document as? NSMutableDictionary,
        let layers = members["layers"] as? NSMutableArray
      {
        try change(layers)
      }
      try line.folder.write(
        Array(try JSONSerialization.data(withJSONObject: document)), to: "changed.json")
      try line.folder.copy(path, to: "right.json")
      return try line.netconv("verify", "changed.json", "--against", "right.json")
    }
  }

  private static func change(
    _ layers: NSMutableArray, _ type: String, weight: Int, _ body: ([Any]) -> [Any]
  ) throws {
    for case let layer as NSMutableDictionary in layers where layer["type"] as? String == type {
      guard let weights = layer["weights"] as? NSMutableArray, let rows = weights[weight] as? [Any]
      else { continue }
      weights[weight] = body(rows)
      return
    }
  }
}
