import TestSupport

/// Networks that ignore their inputs, and still return numbers.
extension SilentError {
  static let inPredictions: [SilentError] =
    CommandLine.lenetFiles.map { file in
      predictions("\(file) holds a NaN value", 1, "not finite") { line in
        try line.change("lenet/\(file).bin") { $0[$0.count / 2] = .nan }
      }
    } + [
      predictions("every weight is not a number", 1, "not finite") { line in
        for file in CommandLine.lenetFiles {
          try line.change("lenet/\(file).bin") { $0 = $0.map { _ in .nan } }
        }
      },
      predictions("a bias is infinite", 1, "not finite") { line in
        try line.change("lenet/fc2_b.bin") { $0[3] = .infinity }
      },
      predictions("weights so large that sums overflow", 1, "not finite") { line in
        try line.change("lenet/fc1_W.bin") { $0 = $0.map { $0 * 1e30 } }
        try line.change("lenet/fc2_W.bin") { $0 = $0.map { $0 * 1e30 } }
      },
      predictions("every weight is zero", 0, "about chance level") { line in
        for file in CommandLine.lenetFiles {
          try line.change("lenet/\(file).bin") { $0 = $0.map { _ in 0 } }
        }
      },
      predictions("the network was never trained", 0, "about chance level") { line in
        try line.writeOtherWeights(CommandLine.lenetFiles)
      },
    ]

  private static func predictions(
    _ mistake: String, _ status: Int32, _ words: String,
    change: @escaping @Sendable (CommandLine) throws -> Void
  ) -> SilentError {
    SilentError("verify", mistake, status, words) { line in
      try line.writeLeNet()
      try change(line)
      return try line.netconv("verify", "lenet", "--limit", "300")
    }
  }
}

extension CommandLine {
  /// Replaces the values of tensors of `lenet` by others of similar size.
  func writeOtherWeights(_ files: [String]) throws {
    for (index, file) in files.enumerated() {
      try change("lenet/\(file).bin") { values in
        var state = UInt64(index + 1)
        values = values.map { _ in
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          return Float(Int64(bitPattern: state) >> 40) / 0x1p26
        }
      }
    }
  }
}
