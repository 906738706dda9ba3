import ModelIR
import TestSupport

/// ONNX and TensorFlow networks that differ from what a user assumes, and names that values contradict.
extension SilentError {
  static let inGraphs: [SilentError] =
    onnxDifferences + onnxReferences + onnxRuns + onnxConversions + nameMistakes

  // MARK: - ONNX

  private static func onnx(_ name: String) -> String { Fixtures.path("onnx/\(name).onnx") }

  /// Two networks of the same weights, or of none, that compute other things.
  private static let onnxDifferences: [SilentError] = [
    difference(
      "rows are padded at their beginning", "conv-same-upper", "conv-same-lower", "padding"),
    difference("a convolution is dilated", "conv-plain", "conv-dilated", "dilation"),
    difference(
      "zeros around an image count in its means", "pool-average-excluding",
      "pool-average-including", "AveragePooling2D"),
    difference(
      "a GRU has its reset before the kernel", "recurrent-gru",
      "recurrent-gru-reset-before", "resetsAfter"),
    difference(
      "an LSTM goes backwards", "recurrent-lstm", "recurrent-lstm-reverse", "goesBackwards"),
    difference("a softmax is along another axis", "softmax-12", "softmax-13", "axis"),
    difference(
      "an image is resized between its corners", "resize-linear",
      "resize-linear-corners", "alignCorners"),
    difference("another epsilon", "norm-batch-9", "norm-batch-15", "epsilon"),
  ]

  private static func difference(
    _ mistake: String, _ first: String, _ second: String, _ words: String
  ) -> SilentError {
    SilentError("diff", "ONNX: \(mistake)", 1, words) { line in
      try line.netconv("diff", onnx(first), onnx(second))
    }
  }

  /// The outputs of onnxruntime, with a mistake.
  private static let onnxReferences: [SilentError] = [
    reference("what onnxruntime gave for other samples") { fed, right in
      let sample = right.count / 3
      let moved: [Float] = Array(right[sample...]) + Array(right[..<sample])
      right = moved
    },
    reference("pixels that were multiplied by 255") { fed, _ in
      for place in fed.indices { fed[place] *= 255 }
    },
    reference("channels in reverse order") { fed, _ in
      let plane = fed.count / 9
      var turned: [Float] = []
      for channel in [2, 1, 0, 5, 4, 3, 8, 7, 6] {
        turned += fed[plane * channel..<plane * (channel + 1)]
      }
      fed = turned
    },
    reference("outputs without their bias") { _, right in
      for place in right.indices { right[place] -= 0.25 }
    },
  ]

  private static func reference(
    _ mistake: String, change: @escaping @Sendable (inout [Float], inout [Float]) -> Void
  ) -> SilentError {
    SilentError("verify --reference", "ONNX: \(mistake)", 1, "'block.conv1") { line in
      let stored = try arrays(Fixtures.path("onnx/conv-plain.npz"))
      guard let fed = stored["in0"], let right = stored["out0"] else {
        return try line.netconv("--help")
      }
      var (inputs, outputs) = (fed.values, right.values)
      change(&inputs, &outputs)
      try writeArchive(
        [
          ("x", NDArray(shape: fed.shape, values: inputs)),
          ("block.conv1", NDArray(shape: right.shape, values: outputs)),
        ], to: line.folder.file("r.npz"))
      return try line.netconv("verify", onnx("conv-plain"), "--reference", "r.npz")
    }
  }

  private static let onnxRuns: [SilentError] = [
    SilentError("run", "ONNX: an image of another size", 64, "expected (None, 3, 7, 9)") { line in
      try line.writeArray(Array(repeating: 0, count: 3 * 8 * 9), "(1, 3, 8, 9)", to: "x.npy")
      return try line.netconv("run", onnx("conv-plain"), "--input", "x.npy")
    },
    SilentError("emit", "ONNX: a network over sequences for MPSCNN", 65, "neither an image") {
      line in
      try line.netconv(
        "emit", onnx("recurrent-gru"), "--language", "mpscnn", "--output", "package")
    },
    SilentError("relate", "ONNX: a convolution of another network", 1, "only in") { line in
      try line.netconv("relate", onnx("conv-plain"), onnx("conv-groups"))
    },
  ]

  private static let onnxConversions: [SilentError] = [
    conversion("a network that normalises by batches", "refused-training-norm", "training mode"),
    conversion("a dropout that is in training mode", "refused-training-dropout", "training"),
    conversion("quantised values", "refused-quantised", "QuantizeLinear"),
    conversion("the places of the largest values", "refused-pool-indices", "output 1"),
    conversion("weights that end before they should", "refused-external-short", "inside of it"),
    conversion("weights in a file elsewhere", "refused-external-outside", "leaves the folder"),
    conversion("means of several samples", "refused-batch-mean", "along the batch"),
    SilentError("convert", "ONNX: both biases of a GRU for MLX", 65, "no known layout") { line in
      try line.netconv("convert", onnx("recurrent-gru"), "out", "--target", "mlx")
    },
    SilentError("convert", "an accuracy that is asked for as an output", 65, "along the batch") {
      line in
      try line.netconv(
        "convert", Fixtures.path("tensorflow/measured-probabilities.pb"), "out", "--graph-output",
        "accuracy")
    },
  ]

  private static func conversion(
    _ mistake: String, _ fixture: String, _ words: String
  ) -> SilentError {
    SilentError("convert", "ONNX: \(mistake)", 65, words) { line in
      try line.netconv("convert", onnx(fixture), "out")
    }
  }

  // MARK: - Names

  private static let nameMistakes: [SilentError] = [
    names(
      "queries are named keys, and keys queries", "each other's names",
      ["q.weight": 1, "k.weight": 2, "v.weight": 3],
      ["query/kernel": [2], "key/kernel": [1], "value/kernel": [3]]),
    names(
      "three names went round in a circle", "each other's names",
      ["q.weight": 1, "k.weight": 2, "v.weight": 3],
      ["query/kernel": [2], "key/kernel": [3], "value/kernel": [1]]),
    names(
      "keys were joined before queries", "another order than the name says",
      ["q.weight": 1, "k.weight": 2, "v.weight": 3], ["qkv.weight": [2, 1, 3]]),
    names(
      "PyTorch's attention has values for keys", "another order than the name says",
      ["q.weight": 1, "k.weight": 2, "v.weight": 3], ["in_proj_weight": [1, 3, 2]]),
    names(
      "the gate was joined last", "another order than the name says",
      ["gate_proj.weight": 1, "up_proj.weight": 2], ["gate_up_proj.weight": [2, 1]]),
    names(
      "a recurrent kernel has MLX's name of the other", "each other's names",
      ["lstm.weight_ih_l0": 1, "lstm.weight_hh_l0": 2], ["lstm.Wx": [2], "lstm.Wh": [1]]),
  ]

  /// - Parameters:
  ///   - first: the values of each tensor of the first, by a seed.
  ///   - second: for each tensor of the second, the seeds of the values that it concatenates.
  private static func names(
    _ mistake: String, _ words: String, _ first: [String: Int], _ second: [String: [Int]]
  ) -> SilentError {
    SilentError("relate", mistake, 1, words) { line in
      let values = { (seed: Int) in
        (0..<16).map { Float(($0 + 1) * (7919 + 2 * seed) % 1009) }
      }
      let tensors = { (parts: [String: [Int]]) in
        parts.sorted { $0.key < $1.key }.map { name, parts in
          (name, NDArray(shape: [4 * parts.count, 4], values: parts.flatMap(values)))
        }
      }
      try writeArchive(tensors(first.mapValues { [$0] }), to: line.folder.file("a.npz"))
      try writeArchive(tensors(second), to: line.folder.file("b.npz"))
      return try line.netconv("relate", "a.npz", "b.npz")
    }
  }
}
