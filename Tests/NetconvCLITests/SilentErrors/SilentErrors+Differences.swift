import TestSupport

/// Two networks that should be equal and are not.
extension SilentError {
  static let inDifferences: [SilentError] =
    CommandLine.lenetFiles.flatMap { file -> [SilentError] in
      let (layer, role) = (file.dropLast(2), file.hasSuffix("W") ? "kernel" : "bias")
      return [
        difference("one value of \(file) is one ULP off", "\(layer) \(role)") { line in
          try line.change("lenet/\(file).bin") { $0[0] = $0[0].nextUp }
        },
        difference("\(file) holds a NaN value", "\(layer) \(role)") { line in
          try line.change("lenet/\(file).bin") { $0[0] = .nan }
        },
      ]
    } + [
      edited("another activation", "\"relu\"", "\"tanh\"", "conv1"),
      edited("softmax is missing", "\"softmax\"", "\"linear\"", "fc2"),
      edited("another pooling", "MaxPooling2D", "AveragePooling2D", "pool1"),
      edited("a kernel has another layout", "(IHW)O", "(HWI)O", "fc1"),
      edited("the pixels have another scale", "0.00392156862745098", "1", "image"),
      edited("the pixels have an offset", "\"offset\": 0", "\"offset\": -1", "image"),
      edited(
        "the network returns another layer", "\"outputs\": [\n    \"fc2\"",
        "\"outputs\": [\n    \"fc1\"", "fc1"),
      difference("rows of a kernel changed places", "fc1 kernel") { line in
        try line.change("lenet/fc1_W.bin") { $0.swapAt(0, 64) }
      },
      SilentError("diff", "two different networks", 1, "only in") { line in
        try TinyModel.write(to: line)
        return try line.netconv("diff", "blobs", Fixtures.sample("lenet-blobs"))
      },
    ]

  private static func edited(
    _ mistake: String, _ text: String, _ other: String, _ words: String
  ) -> SilentError {
    difference(mistake, words) { line in
      try line.replace(text, with: other, in: "lenet/model.json")
    }
  }

  private static func difference(
    _ mistake: String, _ words: String, change: @escaping @Sendable (CommandLine) throws -> Void
  ) -> SilentError {
    SilentError("diff", mistake, 1, words) { line in
      try line.writeLeNet()
      try change(line)
      return try line.netconv("diff", Fixtures.sample("lenet-blobs"), "lenet")
    }
  }
}
