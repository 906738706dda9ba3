import Foundation
import TestSupport

/// Goldens that do not belong to the weights beside them.
extension SilentError {
  static let inGoldens: [SilentError] = [
    goldens("a flipped bit in the outputs", 65, "outputs.bin") { line in
      try line.flip("out/goldens/outputs.bin", at: 40)
    },
    goldens("a flipped bit in the inputs", 65, "inputs.bin") { line in
      try line.flip("out/goldens/inputs.bin", at: 40)
    },
    goldens("a tolerance was changed", 65, "goldens.json") { line in
      try line.replace("\"float32\": ", with: "\"float32\": 9", in: "out/goldens/goldens.json")
    },
    goldens("the outputs were cut off", 65, "outputs.bin") { line in
      try line.folder.write(
        try line.folder.bytes("out/goldens/outputs.bin").dropLast(4), to: "out/goldens/outputs.bin")
    },
    goldens("the outputs are gone", 65, "outputs.bin") { line in
      try FileManager.default.removeItem(atPath: line.folder.file("out/goldens/outputs.bin"))
    },
    goldens("another conversion's goldens", 65, "goldens.json") { line in
      try line.writeLeNet()
      try line.writeOtherWeights(["fc2_W"])
      try line.prepare("convert", "lenet", "other", "-q", "--goldens", "2")
      for name in ["goldens.json", "inputs.bin", "outputs.bin"] {
        try line.folder.write(
          try line.folder.bytes("other/goldens/\(name)"), to: "out/goldens/\(name)")
      }
    },
    goldens("a flipped bit in the weights", 65, "fc1_W.bin") { line in
      try line.flip("out/weights/fc1_W.bin", at: 6)
    },
    SilentError("verify --goldens", "there are none", 64, "goldens") { line in
      try line.convertLeNet()
      return try line.netconv("verify", "out", "--goldens")
    },
    SilentError("convert --goldens", "a network that returns NaN", 0, "infinite or NaN") { line in
      try line.writeLeNet()
      try line.change("lenet/fc2_b.bin") { $0[0] = .nan }
      return try line.netconv("convert", "lenet", "out", "--goldens", "2")
    },
    SilentError(
      "convert --goldens", "weights whose products overflow", 0, "'fc1': "
    ) { line in
      try line.writeLeNet()
      try line.change("lenet/fc1_W.bin") { for index in $0.indices { $0[index] *= 1e37 } }
      try line.change("lenet/conv2_W.bin") { for index in $0.indices { $0[index] *= 1e37 } }
      return try line.netconv("convert", "lenet", "out", "--goldens", "2")
    },
  ]

  private static func goldens(
    _ mistake: String, _ status: Int32, _ words: String,
    change: @escaping @Sendable (CommandLine) throws -> Void
  ) -> SilentError {
    SilentError("verify --goldens", mistake, status, words) { line in
      try line.convertLeNet("--goldens", "2", "--formats", "bin")
      try change(line)
      return try line.netconv("verify", "out", "--goldens")
    }
  }
}
