import Foundation
import TestSupport
import Testing

/// Outputs that were changed after the conversion.
extension SilentError {
  static let inOutputs: [SilentError] =
    CommandLine.lenetFiles.flatMap { file -> [SilentError] in
      [
        output("verify", "a flipped bit in \(file).bin", 65, "\(file).bin") { line in
          try line.flip("out/weights/\(file).bin", at: 6)
        },
        output("verify", "\(file).bin was cut off", 65, "\(file).bin") { line in
          try line.folder.write(
            try line.folder.bytes("out/weights/\(file).bin").dropLast(4),
            to: "out/weights/\(file).bin")
        },
        output("verify", "\(file).bin is gone", 66, "\(file).bin") { line in
          try FileManager.default.removeItem(atPath: line.folder.file("out/weights/\(file).bin"))
        },
        output("verify", "a flipped bit in \(file) in the archive", 65, "model.netpack") {
          line in
          try line.flipInArchive(file)
        },
      ]
    }
    + ["run", "diff", "convert", "emit", "inspect --stats", "verify --against"].flatMap { verb in
      [
        output(verb, "a flipped bit in a converted tensor", 65, "fc1_W.bin") { line in
          try line.flip("out/weights/fc1_W.bin", at: 77)
        },
        output(verb, "two biases of the same size changed places", 65, "_b.bin") { line in
          try line.swap("out/weights/conv1_b.bin", "out/weights/fc2_b.bin")
        },
        output(verb, "the manifest is another conversion's", 65, "the manifest says 240") { line in
          try line.prepare(
            "convert", Fixtures.sample("lenet-blobs"), "other", "-q", "--dtype", "float16")
          try line.folder.write(
            try line.folder.bytes("other/manifest.json"), to: "out/manifest.json")
        },
      ]
    } + [
      output("verify", "the archive is that of an earlier conversion", 65, "manifest.json") {
        line in
        try line.writeLeNet()
        try line.writeOtherWeights(["fc2_W"])
        try line.prepare("convert", "lenet", "earlier", "-q")
        try line.folder.write(
          try line.folder.bytes("earlier/model.netpack"), to: "out/model.netpack")
      },
      output("verify", "the archive that the manifest lists is gone", 65, "model.netpack") { line in
        try FileManager.default.removeItem(atPath: line.folder.file("out/model.netpack"))
      },
      output(
        "verify", "the folder of blobs that the manifest lists is gone", 65, "'weights' is missing"
      ) {
        line in
        try FileManager.default.removeItem(atPath: line.folder.file("out/weights"))
      },
      output("verify", "the manifest is gone", 65, "out") { line in
        try FileManager.default.removeItem(atPath: line.folder.file("out/manifest.json"))
        try FileManager.default.removeItem(atPath: line.folder.file("out/model.netpack"))
      },
      output("verify", "an attribute in the manifest was changed", 65, "manifest.json") { line in
        try line.replace("\"relu\"", with: "\"tanh\"", in: "out/manifest.json")
      },
      output("verify", "the scale in the manifest was changed", 65, "manifest.json") { line in
        try line.replace("0.00392156862745098", with: "0.0078431372549019", in: "out/manifest.json")
      },
    ]

  private static func output(
    _ verb: String, _ mistake: String, _ status: Int32, _ words: String,
    change: @escaping @Sendable (CommandLine) throws -> Void
  ) -> SilentError {
    SilentError(verb, mistake, status, words) { line in
      try line.convertLeNet()
      try change(line)
      return try line.read("out", with: verb)
    }
  }

  /// Other containers, each damaged where the weights are, where the list of them is, and at its end.
  static let inContainers: [SilentError] =
    [("npz", "model.npz"), ("safetensors", "model.safetensors"), ("archive", "model.netpack")]
    .flatMap { format, file in
      ["verify", "run", "diff", "convert", "inspect --stats"].flatMap { verb -> [SilentError] in
        [
          container(format, file, verb, "a flipped bit in its values") { line in
            let bytes = try line.folder.bytes("out/\(file)")
            try line.flip("out/\(file)", at: bytes.count / 2)
          },
          container(format, file, verb, "its end is gone") { line in
            try line.folder.write(
              try line.folder.bytes("out/\(file)").dropLast(40), to: "out/\(file)")
          },
        ]
      }
    }
    + ["run", "verify --against", "diff", "convert", "inspect --stats"].map { verb in
      SilentError(verb, "a flipped bit in a .keras file's weights", 65, "m.keras") { line in
        try line.folder.copy(
          Fixtures.path("keras/archive-conv-same.keras"), to: "m.keras")
        let bytes = try line.folder.bytes("m.keras")
        // Behind the middle of a small file of HDF5 lie values.
        try line.flip("m.keras", at: bytes.count * 3 / 4)
        return try line.read("m.keras", with: verb)
      }
    }

  private static func container(
    _ format: String, _ file: String, _ verb: String, _ mistake: String,
    change: @escaping @Sendable (CommandLine) throws -> Void
  ) -> SilentError {
    SilentError(verb, "\(file): \(mistake)", 65, file) { line in
      try line.convertLeNet("--formats", format)
      try change(line)
      return try line.read("out", with: verb)
    }
  }
}

extension CommandLine {
  /// Reads a network with a verb, in a way that needs its weights.
  func read(_ name: String, with verb: String) throws -> NetconvProcess.Result {
    switch verb {
    case "run" where name.hasSuffix(".keras"):
      try writeArray([Float](repeating: 0.5, count: 462), "(1, 11, 14, 3)", to: "in.npy")
      return try netconv("run", name, "--input", "in.npy")
    case "run":
      try writeArray([Float](repeating: 0.5, count: 784), "(1, 28, 28, 1)", to: "in.npy")
      return try netconv("run", name, "--input", "in.npy")
    case "diff": return try netconv("diff", name, Fixtures.sample("lenet-blobs"))
    case "convert": return try netconv("convert", name, "again")
    case "emit":
      return try netconv(
        "emit", name, "--language", "mpscnn", "--name", "Net", "--output", "package")
    case "inspect --stats": return try netconv("inspect", name, "--stats")
    case "verify --against":
      return try netconv("verify", name, "--against", Fixtures.sample("lenet-blobs"))
    default: return try netconv("verify", name, "--limit", "50")
    }
  }

  /// Inverts a bit of a tensor's values in the archive.
  fileprivate func flipInArchive(_ name: String) throws {
    let manifest = try jsonObject(try folder.bytes("out/manifest.json"))
    let tensors = manifest["tensors"] as? [[String: Any]] ?? []
    let record = tensors.first { $0["name"] as? String == name }
    let places = record?["places"] as? [String: [String: Any]]
    guard let offset = places?["archive"]?["offset"] as? Int else { return }
    try flip("out/model.netpack", at: offset + 5)
  }

  /// Swaps two files.
  func swap(_ one: String, _ other: String) throws {
    let bytes = try folder.bytes(one)
    try folder.write(try folder.bytes(other), to: one)
    try folder.write(bytes, to: other)
  }
}
