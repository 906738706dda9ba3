import TestSupport

/// Weights that were changed, beside the weights that they were made from.
extension SilentError {
  static let inRelations: [SilentError] = [
    SilentError("relate", "rows of one layer that were not permuted", 1, "'blocks.5.wk'") { line in
      try relateSiblings(line, "rotary")
    },
    SilentError("relate", "heads of one layer in another order", 1, "'blocks.5.wv'") { line in
      try relateSiblings(line, "heads")
    },
    SilentError("relate", "gate and up of one layer joined the other way", 1, "'blocks.5.wi'") {
      line in
      try relateSiblings(line, "gate")
    },
    SilentError("relate", "two experts of one layer exchanged", 1, "'blocks.5.moe.1'") { line in
      try relateSiblings(line, "experts")
    },
    SilentError("relate", "two layers exchanged under new names", 1, "'blocks.2.ln'") { line in
      try relateSiblings(line, "layers")
    },
    SilentError(
      "relate", "a kernel of which one value has changed", 1, "is nearly equal to: 1 of 120"
    ) {
      line in
      for folder in ["a", "b"] { try line.folder.copy(Fixtures.sample("lenet-blobs"), to: folder) }
      let bytes = try line.folder.bytes("a/conv1_W.bin")
      try line.folder.write(bytes.enumerated().map { $0 == 322 ? $1 ^ 1 : $1 }, to: "b/conv1_W.bin")
      return try line.netconv("relate", "a", "b")
    },
    changed("a kernel of which every sign has changed") { -$0 },
    changed("a kernel of which every value is twice as large") { 2 * $0 },
    SilentError("relate", "two different networks", 1, "only in") { line in
      try line.folder.copy(Fixtures.sample("lenet-blobs"), to: "a")
      return try line.netconv("relate", "a", Fixtures.sample("deep-mnist/deep-mnist.h5"))
    },
    forMLX("kernels of PyTorch that were never moved for MLX", "not as mlx expects them: 1"),
    forMLX("a matrix after a flatten that was not moved for MLX", "not judged for mlx: 1") {
      ["--target", "mlx", "--convention", "torch"]
    },
    SilentError(
      "relate --target", "a file that does not say whose layouts it has", 1, "not judged for mlx: 2"
    ) { line in
      _ = try line.netconv(
        "convert", Fixtures.sample("pytorch-lenet/lenet.pt"), "w.safetensors", "--target", "torch",
        "--weights-only", "-q"
      ).status
      return try line.netconv("relate", "w.safetensors", "w.safetensors", "--target", "mlx")
    },
  ]

  /// Weights of PyTorch that were written by some options, for MLX.
  private static func forMLX(
    _ mistake: String, _ words: String,
    options: @escaping @Sendable () -> [String] = { ["--target", "torch"] }
  ) -> SilentError {
    SilentError("relate --target", mistake, 1, words) { line in
      let lenet = Fixtures.sample("pytorch-lenet/lenet.pt")
      _ = try line.netconv(["convert", lenet, "w.safetensors", "--weights-only", "-q"] + options())
        .status
      return try line.netconv("relate", lenet, "w.safetensors", "--target", "mlx")
    }
  }

  private static func changed(
    _ mistake: String, _ change: @escaping @Sendable (Float) -> Float
  ) -> SilentError {
    SilentError(
      "relate", mistake, 1, "with another sign, factor or offset than in A: fc1_W.bin"
    ) { line in
      for folder in ["a", "b"] { try line.folder.copy(Fixtures.sample("lenet-blobs"), to: folder) }
      try line.change("b/fc1_W.bin") { $0 = $0.map(change) }
      return try line.netconv("relate", "a", "b")
    }
  }

  private static func relateSiblings(
    _ line: CommandLine, _ name: String
  ) throws -> NetconvProcess.Result {
    try line.netconv(
      "relate", Fixtures.path("siblings/source.safetensors"),
      Fixtures.path("siblings/\(name).safetensors"))
  }
}
