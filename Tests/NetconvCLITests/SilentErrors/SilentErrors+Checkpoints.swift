import Foundation
import TestSupport
import Testing

/// TensorFlow checkpoints that are wrong, or that do not match the other input.
extension SilentError {
  static let inCheckpoints: [SilentError] = [
    SilentError("convert", "a checkpoint with a damaged value", 65, "tensor 'conv1/bias'") { line in
      try copyCheckpoint(to: line)
      try line.flip("deep-v2.ckpt.data-00000-of-00001", at: 3)
      return try line.netconv("convert", "deep-v2.ckpt", "out", "--weights-only", "--quiet")
    },
    SilentError("verify", "a checkpoint with the values of another save", 65, "its checksum") {
      line in
      try copyCheckpoint(to: line)
      let name = "deep-v2.ckpt.data-00000-of-00001"
      try line.folder.write(Array(try line.folder.bytes(name).reversed()), to: name)
      return try line.netconv("verify", "deep-v2.ckpt", "--model", "deep.json")
    },
    SilentError("convert", "a checkpoint without its file of values", 66, "is missing") { line in
      try copyCheckpoint(to: line)
      try FileManager.default.removeItem(
        atPath: line.folder.file("deep-v2.ckpt.data-00000-of-00001"))
      return try line.netconv("convert", "deep-v2.ckpt", "out", "--weights-only")
    },
    SilentError("convert", "a checkpoint of another network", 65, "'conv2': the weight 'kernel'") {
      line in
      try copyCheckpoint(to: line)
      return try line.netconv(
        "convert", Fixtures.path("tensorflow/v2-plain"), "out", "--model", "deep.json")
    },
    SilentError(
      "convert", "an architecture without a layer that the checkpoint has", 0,
      "2 weights of the checkpoint belong to no layer"
    ) { line in
      try copyCheckpoint(to: line)
      return try shortened(line)
    },
    SilentError("inspect", "a name of no variable in --rename", 64, "is not a weight") { line in
      try copyCheckpoint(to: line)
      try line.folder.write("{\"Variable\": \"conv1/kernel\"}", to: "names.json")
      return try line.netconv("inspect", "deep-v2.ckpt", "--rename", "names.json")
    },
    SilentError("convert", "two layers that --rename swaps", 65, "'fc1'") { line in
      try copyCheckpoint(to: line)
      try line.folder.write(
        "{\"fc1/kernel\": \"fc2/kernel\", \"fc2/kernel\": \"fc1/kernel\"}", to: "names.json")
      return try line.netconv(
        "convert", "deep-v2.ckpt", "out", "--model", "deep.json", "--rename", "names.json")
    },
  ]

  private static func copyCheckpoint(to line: CommandLine) throws {
    for name in ["deep-v2.ckpt.index", "deep-v2.ckpt.data-00000-of-00001", "deep.json"] {
      try line.folder.copy(Fixtures.path("tensorflow/" + name), to: name)
    }
  }

  /// Converts with an architecture that ends a layer earlier.
  private static func shortened(_ line: CommandLine) throws -> NetconvProcess.Result {
    var document = try jsonObject(line.folder.bytes("deep.json"))
    var config = document["config"] as? [String: Any] ?? [:]
    config["layers"] = Array((config["layers"] as? [Any] ?? []).dropLast())
    document["config"] = config
    try line.folder.write(
      try JSONSerialization.data(withJSONObject: document), to: "short.json")
    return try line.netconv("convert", "deep-v2.ckpt", "out", "--model", "short.json")
  }
}
