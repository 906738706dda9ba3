import TestSupport

/// Weights that are not what they were, beside those that they were made of.
extension SilentError {
  static let inRelations: [SilentError] = [
    SilentError("relate", "a kernel of which one value has changed", 1, "only in B: conv1_W.bin") {
      line in
      for folder in ["a", "b"] { try line.folder.copy(Fixtures.sample("lenet-blobs"), to: folder) }
      let bytes = try line.folder.bytes("a/conv1_W.bin")
      try line.folder.write(bytes.enumerated().map { $0 == 322 ? $1 ^ 1 : $1 }, to: "b/conv1_W.bin")
      return try line.netconv("relate", "a", "b")
    },
    SilentError("relate", "one is another network", 1, "only in") { line in
      try line.folder.copy(Fixtures.sample("lenet-blobs"), to: "a")
      return try line.netconv("relate", "a", Fixtures.sample("deep-mnist/deep-mnist.h5"))
    },
  ]
}
